#!/usr/bin/env python3
"""The shapes in which the gate is put into a fleet, each held against what its format requires and then run: the action,
GitLab's template, pre-commit's hooks; and the forms of a report that have a schema of others: JUnit's XML.

Run by ci/shapes, which installs what this needs into target/shapes."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import ruamel.yaml
import xmlschema

ROOT = pathlib.Path(__file__).resolve().parent.parent
ADAPTER = ROOT / "cli/tests/adapters/adapter.py"
CONTRACT = """version = 1
[datasets.orders]
scheme = "kafka/java"
params = { partitions = 12 }
fixtures = ["user:42", "100:48069", { null = true }]
"""
yaml = ruamel.yaml.YAML(typ="safe")
passed = failed = 0


def check(what, good, said=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print("FAILED: %s\n%s" % (what, said), file=sys.stderr)


def run(command, folder, **environment):
    return subprocess.run(command, cwd=folder, env={**os.environ, **environment}, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def holds(what, command, folder, status=0, said=(), unsaid=(), **environment):
    """A command that ends with `status`, and prints each of `said` and none of `unsaid`."""
    done = run(command, folder, **environment)
    good = done.returncode == status and all(text in done.stdout for text in said)
    check(what, good and not any(text in done.stdout for text in unsaid), "status %d\n%s" % (done.returncode, done.stdout))
    return done.stdout


def adapters(*modes):
    return ["python3 '%s' %s" % (ADAPTER, mode) for mode in modes]


def repository(folder):
    """A git repository with a contract, its lock, and a second contract that moves keys."""
    def git(*words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (folder / "keyfall.toml").write_text(CONTRACT)
    run(["keyfall", "contract", "lock"], folder)
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "contract")
    return git


def action(folder):
    steps = {step["name"]: step for step in yaml.load(ROOT / "action.yml")["runs"]["steps"]}
    holds("action.yml is an action", [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions",
                                      ROOT / "action.yml"], folder)
    repository(folder)

    def step(name, **environment):
        # As the runner does it: https://docs.github.com/actions/reference/workflow-syntax-for-github-actions, shell: bash
        script = folder / "step.sh"
        script.write_text(steps[name]["run"])
        return ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], environment

    def run_step(what, name, status, said, **environment):
        command, environment = step(name, KEYFALL_CONTRACT="keyfall.toml", KEYFALL_OPTIONS="", **environment)
        holds(what, command, folder, status, said, **environment)

    run_step("the action has keyfall", "Install keyfall", 0, [])
    verify = "Hold the clients against the contract"
    run_step("the action passes", verify, 0, [], KEYFALL_ADAPTERS="\n".join(adapters("java", "java") + [""]))
    run_step("the action fails", verify, 1, ["::error title=crc32 1.0%2C orders::"],
             KEYFALL_ADAPTERS="\n".join(adapters("java", "crc32")), GITHUB_STEP_SUMMARY=str(folder / "summary.md"))
    check("the action writes a summary", "| crc32 1.0 |" in (folder / "summary.md").read_text())
    run_step("the action without an adapter", verify, 2, [], KEYFALL_ADAPTERS="\n")
    diff = "What the change moves"
    run_step("no change of the contract", diff, 0, ["no key moves"], KEYFALL_BASE="HEAD")
    run_step("nothing to compare with", diff, 0, [], KEYFALL_BASE="none")
    (folder / "keyfall.toml").write_text(CONTRACT.replace("12", "24"))
    run_step("a change of the contract", diff, 1, ["partitions 12 -> 24, not allowed"], KEYFALL_BASE="HEAD")


def gitlab(folder):
    template = ROOT / "ci/templates/keyfall.gitlab-ci.yml"
    holds("GitLab's template is a configuration", [
        sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci",
        template], folder)
    repository(folder)
    script = "\n".join(yaml.load(template)[".keyfall"]["script"])

    def job(what, modes, status, said, **environment):
        environment = {"KEYFALL_CONTRACT": "keyfall.toml", "KEYFALL_OPTIONS": "--timeout 20s",
                       "KEYFALL_ADAPTERS": " -- ".join(adapters(*modes)), **environment}
        holds(what, ["bash", "-eo", "pipefail", "-c", script], folder, status, said, **environment)
        return json.loads((folder / "gl-code-quality-report.json").read_text())

    check("GitLab's report is empty", job("GitLab's job passes", ["java"], 0, ["3 passed, 0 failed"]) == [])
    report = job("GitLab's job fails", ["java", "crc32"], 1, ["set partitioner=murmur2_random"], CI_MERGE_REQUEST_DIFF_BASE_SHA="HEAD")
    # What code quality requires: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
    check("GitLab's report is one of code quality", len(report) == 1 and all(
        isinstance(finding["description"], str) and isinstance(finding["check_name"], str) and finding["fingerprint"]
        and finding["severity"] in ("info", "minor", "major", "critical", "blocker")
        and isinstance(finding["location"]["path"], str) and isinstance(finding["location"]["lines"]["begin"], int)
        for finding in report), report)


def pre_commit(folder):
    holds("pre-commit's hooks are a manifest", [sys.executable, "-m", "pre_commit", "validate-manifest",
                                                ROOT / ".pre-commit-hooks.yaml"], folder)
    # A repository of its own, so that what is not committed yet counts.
    hooks = folder / "hooks"
    hooks.mkdir()
    (hooks / ".pre-commit-hooks.yaml").write_bytes((ROOT / ".pre-commit-hooks.yaml").read_bytes())
    repository(hooks)
    fleet = folder / "fleet"
    fleet.mkdir()
    git = repository(fleet)
    environment = {"PRE_COMMIT_HOME": str(folder / "cache")}

    def hook(what, name, status, said, files):
        for file, text in files.items():
            (fleet / file).write_text(text)
        git("add", ".")
        holds(what, [sys.executable, "-m", "pre_commit", "try-repo", str(hooks), name, "--all-files", "--verbose"], fleet, status, said,
              **environment)

    hook("pre-commit: a contract in step", "keyfall-contract-check", 0, ["1 datasets, 3 fixtures; the lock is in step"], {})
    hook("pre-commit: a contract out of step", "keyfall-contract-check", 1, ["is out of step"],
         {"keyfall.toml": CONTRACT.replace("12", "24")})
    hook("pre-commit: a configuration that keeps it", "keyfall-contract-lint", 0, [],
         {"keyfall.toml": CONTRACT, "producer.properties": "acks=all\nkey.serializer=org.apache.kafka.common.serialization.StringSerializer\n"})
    hook("pre-commit: a configuration that does not", "keyfall-contract-lint", 1, ["producer.properties"],
         {"producer.properties": "partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner\n"})


def junit(folder):
    """Against the schema of Jenkins's xunit plugin, with which pytest tests its own reports; it is not ours to copy."""
    schema = xmlschema.XMLSchema(next((ROOT / "target/shapes").glob("pytest-*/testing/example_scripts/junit-10.xsd")).as_posix())
    # Keys that the adapter cannot take: a test that is skipped.
    typed = CONTRACT.split("\n", 1)[1].replace("orders", "typed").replace("fixtures", 'key_type = "integer"\nfixtures')
    (folder / "keyfall.toml").write_text(CONTRACT + typed.replace('"user:42", "100:48069"', '"1", "2"').replace(", { null = true }", ""))
    run(["keyfall", "contract", "lock"], folder)
    for modes in [["java"], ["crc32"], ["java", "crc32", "not-json", "hang"], ["early"]]:
        command = ["keyfall", "verify", "--contract", "keyfall.toml", "--timeout", "1s", "--format", "junit"]
        for mode in modes:
            command += ["--", "python3", str(ADAPTER), mode]
        report = subprocess.run(command + ["--", "false"], cwd=folder, text=True, stdout=subprocess.PIPE).stdout
        why = [str(error) for error in schema.iter_errors(report)]
        check("JUnit of %s" % ", ".join(modes), not why, "\n".join(why) + report)
        check("JUnit of %s tells what was skipped" % modes[0], modes[0] in ("early", "hang") or "<skipped" in report, report)
    check("the schema refuses another report", not schema.is_valid("<testsuites><testsuite/></testsuites>"))


for shape in [action, gitlab, pre_commit, junit]:
    with tempfile.TemporaryDirectory() as folder:
        shape(pathlib.Path(folder))
print("ci/shapes: %d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
