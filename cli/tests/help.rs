//! The help, `completions`, `man` and the version.

mod common;

use common::keyfall;

#[test]
fn help() {
    insta::assert_snapshot!("help", keyfall("--help"));
    for verb in ["place", "explain", "audit", "verify", "contract", "schemes"] {
        insta::assert_snapshot!(format!("help_{verb}"), keyfall(&format!("{verb} --help")));
        assert_eq!(keyfall(&format!("{verb} -h")).stdout, keyfall(&format!("{verb} --help")).stdout);
    }
    assert_eq!(keyfall("-h").stdout, keyfall("--help").stdout);
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = keyfall(&format!("completions {shell}"));
        assert!(run.status == 0 && run.stdout.contains("explain"), "{shell}");
    }
    for (line, title) in [
        ("man", ".TH keyfall 1"),
        ("man place", ".TH keyfall-place 1"),
        ("man schemes show", ".TH keyfall-schemes-show 1"),
    ] {
        let run = keyfall(line);
        assert!(run.status == 0 && run.stdout.contains(title), "{line}");
    }
}

#[test]
fn version() {
    let run = keyfall("--version");
    assert_eq!((run.status, run.stdout), (0, format!("keyfall {}\n", env!("CARGO_PKG_VERSION"))));
}
