//! Bad input: each a clear message, and status 2.

mod common;

use common::{command, run, write};

#[test]
fn bad_input() {
    write(
        "errors-old.json",
        r#"{"format":1,"unit":"slot","epoch":3,"entries":[{"first":0,"last":16383,"owner":"a"}]}"#,
    );
    write(
        "errors-gap.json",
        r#"{"format":1,"unit":"slot","entries":[{"first":0,"last":9,"owner":"a"},{"first":11,"last":16383,"owner":"b"}]}"#,
    );
    write("errors-overlap.json", r#"[[0,100,["10.0.0.1",6379,"id"]],[100,16383,["10.0.0.2",6379,"id"]]]"#);
    write("errors-cut.txt", "1) 1) (integer) 0\n   2) (integer) 5460\n   3) 1) \"10.0.0.1\"\n");
    write("errors-epoch.json", r#"[[0,16383,["10.0.0.1",6379,"id"]]]"#);
    write("errors-peers.json", r#"{"peer":"10.0.0.2","tokens":["0"]}"#);
    write(
        "errors-ring.json",
        r#"[{"key":"local","listen_address":"a","tokens":["-5","0"]},{"peer":"b","tokens":["0"]}]"#,
    );
    write("errors-murmur3.json", r#"{"key":"local","listen_address":"a","tokens":["-5","0"]}"#);
    write("errors-token.json", r#"{"format":1,"unit":"token","entries":[{"first":"0","last":"9","owner":"a"}]}"#);
    write("errors-text.json", "no JSON");
    let mut report = String::new();
    for line in [
        // The scheme.
        "place user:42",
        "place -s kafka/jva -p partitions=12 user:42",
        "place -s jaava -p partitions=12 user:42",
        "place -s KAFKA/JAVA -p partitions=12 user:42",
        "place -s dynamodb -p partitions=12 user:42",
        "explain -s kafka/jva -p partitions=12 user:42",
        "schemes show kafka/jva",
        "schemes show nothing-like-it",
        // Params.
        "place -s kafka/java user:42",
        "place -s kafka/java -p partitions user:42",
        "place -s kafka/java -p =12 user:42",
        "place -s kafka/java -p partitions=0 user:42",
        "place -s kafka/java -p partitions=-1 user:42",
        "place -s kafka/java -p partitions=twelve user:42",
        "place -s kafka/java -p partitions=12.0 user:42",
        "place -s kafka/java -p partitions= user:42",
        "place -s kafka/java -p partitions=2147483648 user:42",
        "place -s kafka/java -p partitions=99999999999999999999 user:42",
        "place -s kafka/java -p partitions=12 -p partitions=13 user:42",
        "place -s kafka/java -p partition=12 user:42",
        "place -s kafka/java -p partitions=12 -p ignore_keys=yes user:42",
        "place -s redis/cluster -p slots=16384 user:42",
        "place -s elasticsearch/legacy -p shards=5 -p routing_shards=12 user:42",
        "place -s kafka/java -p partitions=0 --jsonl",
        "place -s kafka/java -p topology=x.json user:42",
        // Keys.
        "place -s kafka/java -p partitions=12",
        "place -s kafka/java -p partitions=12 --jsonl user:42",
        "place -s kafka/java -p partitions=12 --key-format hex 0",
        "place -s kafka/java -p partitions=12 --key-format base64 AP8",
        "place -s kafka/java -p partitions=12 --key-format json 42",
        "place -s kafka/java -p partitions=12 --key-format json {\"hex\":\"00\"",
        "place -s kafka/java -p partitions=12 --key-format yaml x",
        "place -s kafka/java -p partitions=12 --key-type integer 4x2",
        "place -s kafka/java -p partitions=12 --key-type int 42",
        "place -s kafka/java -p partitions=12 --key-type integer --key-format hex 00",
        "place -s kafka/java -p partitions=12 --key-type integer --jsonl",
        "place -s kafka/java -p partitions=12 --key-format hex --jsonl",
        "explain -s kafka/java -p partitions=12 --key-format hex 0",
        "explain -s kafka/java -p partitions=12",
        // Topologies.
        "place -s redis/cluster --topology no-such-file.json x",
        "place -s redis/cluster --topology . x",
        "place -s redis/cluster --topology errors-text.json x",
        "place -s redis/cluster --topology errors-gap.json x",
        "place -s redis/cluster --topology errors-token.json x",
        "place -s redis/cluster --topology errors-old.json --min-epoch 4 x",
        "place -s redis/cluster --min-epoch 4 x",
        "place -s redis/cluster --topology errors-overlap.json x",
        "place -s redis/cluster --topology errors-cut.txt x",
        "place -s redis/cluster --topology errors-epoch.json --min-epoch 1 x",
        "place -s cassandra/murmur3 --topology errors-peers.json x",
        "place -s cassandra/murmur3 --topology errors-ring.json x",
        "place -s cassandra/murmur3 --topology errors-epoch.json x",
        "place -s cassandra/random --topology errors-murmur3.json x",
        "place -s cassandra/byte-ordered --topology errors-murmur3.json x",
        "explain -s redis/cluster --topology errors-overlap.json x",
        "audit -s redis/cluster --topology errors-overlap.json x",
        "place -s kafka/java -p partitions=12 --topology errors-old.json x",
        // The rest.
        "",
        "plaice",
        "completions tcsh",
        "man plaice",
    ] {
        let run = run(&mut command(line.split_whitespace()), b"");
        assert_eq!(run.status, 2, "{run}");
        report.push_str(&format!("{run}\n"));
    }
    insta::assert_snapshot!(report);
}
