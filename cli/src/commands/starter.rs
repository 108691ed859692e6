//! `keyfall verify --starter`: an adapter over a client, to start from. Its files are those of `oracles/`, taken in when
//! this program is built.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use crate::exit::Exit;

/// An adapter over one client.
struct Starter {
    language: &'static str,
    client: &'static str,
    /// Path in its folder, and text.
    files: &'static [(&'static str, &'static str)],
    /// What builds it, in its folder.
    build: &'static [&'static str],
    /// What runs it; DIR is its folder.
    run: &'static [&'static str],
}

/// A file of `oracles/`.
macro_rules! oracles {
    ($($part:literal),+) => {
        include_str!(concat!("../../../oracles/", $($part),+))
    };
}

/// The files of a starter in Go: `oracles/clients/NAME/starter`.
macro_rules! go {
    ($client:literal) => {
        &[
            ("service.go", oracles!("clients/", $client, "/starter/service.go")),
            ("main.go", oracles!("clients/", $client, "/starter/main.go")),
            ("go.mod", oracles!("clients/", $client, "/starter/go.mod")),
            ("go.sum", oracles!("clients/", $client, "/starter/go.sum")),
            ("oracle/oracle.go", oracles!("go/oracle.go")),
        ]
    };
}

macro_rules! python {
    ($client:literal) => {
        &[
            ("service.py", oracles!("clients/", $client, "/starter/service.py")),
            ("adapter.py", oracles!("clients/", $client, "/starter/adapter.py")),
            ("requirements.txt", oracles!("clients/", $client, "/starter/requirements.txt")),
            ("oracle_helper.py", oracles!("python/oracle_helper.py")),
        ]
    };
}

macro_rules! node {
    ($client:literal) => {
        &[
            ("service.mjs", oracles!("clients/", $client, "/starter/service.mjs")),
            ("adapter.mjs", oracles!("clients/", $client, "/starter/adapter.mjs")),
            ("package.json", oracles!("clients/", $client, "/starter/package.json")),
            ("oracle-helper.mjs", oracles!("node/oracle-helper.mjs")),
        ]
    };
}

type Words = &'static [&'static str];
const GO: (Words, Words) = (&["go build -o adapter ."], &["DIR/adapter"]);
const PYTHON: (Words, Words) = (
    &["python3 -m venv venv", "venv/bin/pip install --quiet -r requirements.txt"],
    &["DIR/venv/bin/python", "DIR/adapter.py"],
);
const NODE: (Words, Words) =
    (&["npm install --ignore-scripts --no-audit --no-fund --loglevel=error"], &["node", "DIR/adapter.mjs"]);

/// The first of a language is what it gets without a client's name.
const STARTERS: &[Starter] = &[
    Starter {
        language: "java",
        client: "kafka-clients",
        files: &[
            ("pom.xml", oracles!("clients/kafka-java/starter/pom.xml")),
            ("src/main/java/Service.java", oracles!("clients/kafka-java/starter/src/main/java/Service.java")),
            ("src/main/java/Starter.java", oracles!("clients/kafka-java/starter/src/main/java/Starter.java")),
            ("src/main/java/oracle/Adapter.java", oracles!("java/src/main/java/oracle/Adapter.java")),
            ("src/main/java/oracle/Key.java", oracles!("java/src/main/java/oracle/Key.java")),
            ("src/main/java/oracle/Oracle.java", oracles!("java/src/main/java/oracle/Oracle.java")),
            ("src/main/java/oracle/Outcome.java", oracles!("java/src/main/java/oracle/Outcome.java")),
            ("src/main/java/oracle/Params.java", oracles!("java/src/main/java/oracle/Params.java")),
        ],
        build: &["mvn --quiet --batch-mode compile"],
        run: &["java", "-cp", "DIR/target/classes:DIR/target/lib/*", "Starter"],
    },
    Starter { language: "go", client: "sarama", files: go!("sarama"), build: GO.0, run: GO.1 },
    Starter { language: "go", client: "franz-go", files: go!("franz-go"), build: GO.0, run: GO.1 },
    Starter { language: "go", client: "kafka-go", files: go!("kafka-go"), build: GO.0, run: GO.1 },
    Starter {
        language: "python",
        client: "kafka-python",
        files: python!("kafka-python"),
        build: PYTHON.0,
        run: PYTHON.1,
    },
    Starter {
        language: "python",
        client: "confluent-kafka",
        files: python!("librdkafka-python"),
        build: PYTHON.0,
        run: PYTHON.1,
    },
    Starter { language: "node", client: "kafkajs", files: node!("kafkajs"), build: NODE.0, run: NODE.1 },
    Starter { language: "node", client: "ioredis", files: node!("ioredis"), build: NODE.0, run: NODE.1 },
    Starter {
        language: "rust",
        client: "rdkafka",
        files: &[
            ("Cargo.toml", oracles!("clients/rdkafka-rust/starter/Cargo.toml")),
            ("src/main.rs", oracles!("clients/rdkafka-rust/starter/src/main.rs")),
            ("src/service.rs", oracles!("clients/rdkafka-rust/starter/src/service.rs")),
            ("src/oracle.rs", oracles!("rust/src/lib.rs")),
        ],
        build: &["cargo build --quiet --release"],
        run: &["DIR/target/release/adapter"],
    },
    Starter {
        language: "c",
        client: "librdkafka",
        files: &[
            ("service.h", oracles!("clients/librdkafka-c/starter/service.h")),
            ("adapter.c", oracles!("clients/librdkafka-c/starter/adapter.c")),
            ("oracle.h", oracles!("c/oracle.h")),
            ("oracle.c", oracles!("c/oracle.c")),
        ],
        build: &["cc -O2 -o adapter adapter.c oracle.c $(pkg-config --cflags --libs rdkafka jansson)"],
        run: &["DIR/adapter"],
    },
];

impl Starter {
    /// That of a client, or of a language.
    fn named(name: &str) -> anyhow::Result<&'static Starter> {
        let found = STARTERS.iter().find(|starter| starter.client == name);
        found.or_else(|| STARTERS.iter().find(|starter| starter.language == name)).with_context(|| {
            let of = |starter: &Starter| format!("{} ({})", starter.client, starter.language);
            let all: Vec<String> = STARTERS.iter().map(of).collect();
            format!("no starter {name}; there are, by client or language: {}", all.join(", "))
        })
    }
}

/// Writes the starter `name` into `folder`, where none of its files may be, and says what to do next.
pub(crate) fn write(name: &str, folder: Option<&Path>, out: &mut impl Write) -> anyhow::Result<Exit> {
    let starter = Starter::named(name)?;
    let folder = folder.map_or_else(|| PathBuf::from(format!("keyfall-{}", starter.client)), Path::to_path_buf);
    let there: Vec<&str> = starter
        .files
        .iter()
        .map(|(path, _)| *path)
        .filter(|path| folder.join(path).symlink_metadata().is_ok())
        .collect();
    ensure!(
        there.is_empty(),
        "{} has {} already; nothing was written: name another folder, or take them away",
        folder.display(),
        there.join(", ")
    );
    for (path, text) in starter.files {
        let file = folder.join(path);
        let parent = file.parent().expect("it is in the folder");
        fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        let new = fs::File::create_new(&file).and_then(|mut new| new.write_all(text.as_bytes()));
        new.with_context(|| format!("cannot write {}", file.display()))?;
    }
    let Some(shown) = folder.to_str() else { bail!("{}: not a name that can be shown", folder.display()) };
    let run: Vec<String> = starter.run.iter().map(|word| word.replace("DIR", shown)).collect();
    let run = shlex::try_join(run.iter().map(String::as_str)).context("the folder's name")?;
    let quoted = shlex::try_quote(shown).context("the folder's name")?;
    writeln!(out, "wrote an adapter over {} ({}) to {shown}: {}", starter.client, starter.language, paths(starter))?;
    writeln!(out, "put your service's own configuration into its service file, then:")?;
    writeln!(out, "  (cd {quoted} && {})", starter.build.join(" && "))?;
    writeln!(out, "  keyfall verify --contract keyfall.toml --shrink -- {run}")?;
    Ok(Exit::Clean)
}

fn paths(starter: &Starter) -> String {
    starter.files.iter().map(|(path, _)| *path).collect::<Vec<_>>().join(", ")
}
