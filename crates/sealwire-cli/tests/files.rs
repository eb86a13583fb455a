// SPDX-License-Identifier: Apache-2.0
//! Files beyond one key and one file: many inputs, verdicts, what files say of themselves, recipients and passphrases.

mod support;

use serde_json::Value;
use std::{
    fs,
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::Path,
};
use support::{Bench, Run, text};

fn mode(bench: &Bench, name: &str) -> u32 {
    fs::metadata(bench.path(name)).unwrap().permissions().mode() & 0o777
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout()).unwrap()
}

/// The lines of standard error, each of which is the command's.
fn lines(run: &Run) -> Vec<String> {
    let lines: Vec<_> = run.stderr().lines().map(str::to_owned).collect();
    assert!(
        lines.iter().all(|line| line.starts_with("sealwire: ")),
        "{lines:?}"
    );
    lines
}

#[test]
fn seals_and_opens_many_files() {
    let bench = Bench::new();
    for name in ["a", "b", "c"] {
        bench.write(name, name.as_bytes());
    }
    bench.run("seal -k key a b c").succeeds();
    for name in ["a", "b", "c"] {
        fs::remove_file(bench.path(name)).unwrap();
    }
    bench
        .run("open -k key a.sealed b.sealed c.sealed")
        .succeeds();
    assert_eq!(bench.read("b"), b"b");
    for (arguments, said) in [
        ("seal -k key a b -o out", "out is no folder"),
        ("seal -k key a -", "standard input goes with no other"),
        ("open -k key a.sealed b", "-o"),
        ("seal -k key a a", "both go to a.sealed"),
    ] {
        bench.run(arguments).fails(2, &[said]);
    }
}

#[test]
fn results_go_into_a_folder() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("from")).unwrap();
    fs::create_dir_all(bench.path("to")).unwrap();
    for name in ["a", "from/a", "from/b"] {
        bench.write(name, name.as_bytes());
    }
    bench.run("seal -k key from/a from/b -o to").succeeds();
    fs::remove_dir_all(bench.path("from")).unwrap();
    assert_eq!(bench.names(), ["a", "key", "to"]);
    bench
        .run("open -k key to/a.sealed to/b.sealed -o to/")
        .succeeds();
    assert_eq!(bench.read("to/b"), b"from/b");
    // A folder that is called as standard output is not meant.
    fs::create_dir(bench.path("-")).unwrap();
    assert_eq!(
        bench
            .run("open -k key to/a.sealed -o -")
            .succeeds()
            .stdout(),
        "from/a"
    );
    fs::remove_dir(bench.path("-")).unwrap();
    // One file, too; what is there stays.
    bench
        .run("open -k key to/a.sealed -o to")
        .fails(1, &["to/a already exists"]);
    bench.run("seal -k key a -o to --force").succeeds();
    fs::create_dir(bench.path("other")).unwrap();
    bench.write("other/a", b"other");
    bench.write("b.sealed", b"");
    bench.write("to/b.sealed.sealed", b"");
    for (arguments, status, said) in [
        (
            "seal -k key a other/a -o to --force",
            2,
            "both go to to/a.sealed",
        ),
        (
            "open -k key to/b.sealed.sealed b.sealed -o . --force",
            2,
            "./b.sealed is an input",
        ),
        ("seal -k key a -o none/", 1, "there is no folder none/"),
        ("seal -k key a - -o to", 2, "no other input"),
        (
            "seal -k key - -o to",
            1,
            "to is a directory; give a file name",
        ),
    ] {
        bench.run(arguments).fails(status, &[said]);
    }
    assert_eq!(bench.read("to/b"), b"from/b");
}

#[test]
fn one_bad_file_does_not_keep_the_others_back() {
    let bench = Bench::new();
    for name in ["a", "b", "c"] {
        bench.write(name, &text(9000));
    }
    let run = bench.run("seal -k key a missing b");
    assert_eq!(run.0.status.code(), Some(1));
    assert_eq!(
        lines(&run),
        ["sealwire: cannot open missing: No such file or directory; check the path"]
    );
    bench.run("seal -k key c").succeeds();
    let mut file = bench.read("b.sealed");
    file[5000] ^= 1;
    bench.write("b.sealed", &file);
    for name in ["a", "b", "c"] {
        fs::remove_file(bench.path(name)).unwrap();
    }
    let run = bench.run("open -k key a.sealed b.sealed c.sealed");
    assert_eq!(run.0.status.code(), Some(1));
    assert_eq!(
        lines(&run),
        [
            "sealwire: b.sealed: chunk 1 is damaged, missing, out of place or cut short; nothing was written, get a good copy of the file"
        ]
    );
    assert_eq!(
        bench.names(),
        ["a", "a.sealed", "b.sealed", "c", "c.sealed", "key"]
    );
}

#[test]
fn verify_gives_a_verdict_on_each_file_and_writes_nothing() {
    let bench = Bench::new();
    bench.write("a", &text(200_000));
    bench.write("b", b"");
    bench.run("seal -k key a b").succeeds();
    let before = bench.names();
    let run = bench.run("verify -k key a.sealed b.sealed");
    assert_eq!(run.succeeds().stdout(), "a.sealed: OK\nb.sealed: OK\n");
    let mut file = bench.read("a.sealed");
    file[150_000] ^= 1;
    bench.write("a.sealed", &file);
    let run = bench.run("verify -k key a.sealed missing b.sealed");
    run.fails(1, &["2 of 3 not authentic"]);
    assert_eq!(
        run.stdout(),
        "a.sealed: FAILED, chunk 3 is damaged, missing, out of place or cut short; get a good copy of the file\n\
         missing: FAILED, cannot open it: No such file or directory; check the path\n\
         b.sealed: OK\n"
    );
    let run = bench.run("verify --json -k key a.sealed b.sealed");
    assert_eq!(run.0.status.code(), Some(1));
    let rows = json(&run);
    assert_eq!(rows[0]["authentic"], false);
    assert!(rows[0]["reason"].as_str().unwrap().starts_with("chunk 3"));
    assert_eq!(rows[1]["authentic"], true);
    assert_eq!(rows[1]["text_bytes"], 0);
    assert_eq!(before, bench.names());
    let sealed = bench.read("b.sealed");
    let run = bench.run_with("verify -k key -", &sealed);
    assert_eq!(run.succeeds().stdout(), "-: OK\n");
    bench.run("verify -k key - -").fails(2, &["once"]);
}

#[test]
fn info_tells_what_a_file_is_without_a_key() {
    let bench = Bench::new();
    bench.write("a", &text(200_000));
    bench.run("keygen my.key").succeeds();
    bench.run("seal -k my.key a").succeeds();
    bench
        .run("seal -k my.key --no-key-id a -o unnamed")
        .succeeds();
    let key = json(&bench.run("info --json my.key"));
    assert_eq!(key[0]["kind"], "key-file");
    assert_eq!(key[0]["purpose"], "file");
    assert_eq!(key[0]["key_bytes"], 64);
    let id = key[0]["id"].as_str().unwrap();
    assert_eq!(id.len(), 16);
    let run = bench.run("info a.sealed");
    let expected = format!(
        "a.sealed: sealed file, not verified\n  format      version 2\n  suite       otr-aes256-p\n  opens with  key {id}\n  chunks      of 65536 bytes\n  text        200000 bytes in 4 chunks\n"
    );
    assert_eq!(run.succeeds().stdout(), expected);
    let rows = json(&bench.run("info --json a.sealed unnamed"));
    assert_eq!(rows[0]["kind"], "sealed-file");
    assert_eq!(rows[0]["key_id"], id);
    assert_eq!(rows[0]["text_bytes"], 200_000);
    assert_eq!(rows[0]["version"], 2);
    assert!(rows[1].get("key_id").is_none());
    let run = bench.run("info key");
    assert!(run.succeeds().stdout().contains("not said"));
    let digits = String::from_utf8(bench.read("key")).unwrap();
    assert!(!run.stdout().contains(&digits[..16]), "the key is shown");
    let run = bench.run_with("info -", &bench.read("a.sealed"));
    assert!(run.succeeds().stdout().contains("of unknown length"));

    bench.write("other", b"PK\x03\x04");
    let run = bench.run("info other a.sealed");
    assert_eq!(run.0.status.code(), Some(1));
    assert_eq!(lines(&run).len(), 1);
    assert!(
        run.stderr()
            .contains("other: this is neither a sealed file nor a key file")
    );
    assert!(run.stdout().starts_with("a.sealed: sealed file"));
    bench.write("cut", &bench.read("a.sealed")[..70]);
    bench
        .run("info cut")
        .fails(1, &["after 70 of 96 bytes", "good copy"]);
}

#[test]
fn files_are_sealed_to_recipients() {
    let bench = Bench::new();
    bench.write("plan", b"at noon");
    for name in ["ann", "bob", "eve"] {
        bench.run(&format!("identity {name}.identity")).succeeds();
        bench
            .run(&format!("recipient {name}.identity -o {name}.recipient"))
            .succeeds();
        assert_eq!(mode(&bench, &format!("{name}.identity")), 0o600);
    }
    bench
        .run("seal -r ann.recipient -r bob.recipient plan")
        .succeeds();
    for name in ["ann", "bob"] {
        let run = bench.run(&format!("open -i {name}.identity plan.sealed -o -"));
        assert_eq!(run.succeeds().stdout(), "at noon");
    }
    bench
        .run("open -i eve.identity -i bob.identity plan.sealed -o both")
        .succeeds();
    let before = bench.names();
    let run = bench.run("open -i eve.identity plan.sealed -o out");
    assert_eq!(
        run.fails(1, &[]).stderr(),
        "sealwire: plan.sealed: the file was not sealed to this identity, or its header is damaged; check identity file eve.identity\n"
    );
    let refused = [
        (
            "open -k key plan.sealed -o out",
            "plan.sealed: the file opens with a recipient's identity, not with a key file; use --identity",
        ),
        (
            "seal -r ann.identity plan -o out",
            "recipient file ann.identity: it is a key for opening files as a recipient, not for sealing files to a recipient; make one with `sealwire recipient`",
        ),
        (
            "open -i ann.recipient plan.sealed -o out",
            "identity file ann.recipient: it is a key for sealing files to a recipient, not for opening files as a recipient; give the file that `sealwire identity` made",
        ),
        (
            "seal -k ann.identity plan -o out",
            "key file ann.identity: it is a key for opening files as a recipient, not for files; it opens with -i, and what `sealwire recipient` makes of it seals with -r",
        ),
        (
            "seal -r key plan -o out",
            "recipient file key: it does not say `purpose: recipient`",
        ),
        (
            "open -i ann.identity plan.sealed -o ann.identity --force",
            "the output is the identity file ann.identity; choose another with -o",
        ),
        (
            "recipient ann.identity -o ann.identity --force",
            "the output is the identity file ann.identity",
        ),
    ];
    for (arguments, words) in refused {
        bench.run(arguments).fails(1, &[words]);
    }
    assert_eq!(bench.names(), before);
    let ids = json(&bench.run("info --json ann.identity ann.recipient"));
    assert_eq!(ids[0]["id"], ids[1]["id"]);
    let fingerprint = ids[1]["fingerprint"].as_str().unwrap();
    assert_eq!(ids[0]["fingerprint"], fingerprint);
    assert_eq!(
        fingerprint.split(' ').map(str::len).collect::<Vec<_>>(),
        [4; 10]
    );
    assert_eq!(ids[1]["purpose"], "recipient");
    let about = json(&bench.run("info --json plan.sealed"));
    assert_eq!(about[0]["recipients"], 2);
    assert_eq!(about[0]["opens_with"], "identity");
    for arguments in [
        "seal plan",
        "open plan.sealed",
        "seal -k key -r ann.recipient plan",
        "seal -k key --passphrase plan",
    ] {
        assert_eq!(bench.run(arguments).0.status.code(), Some(2), "{arguments}");
    }
}

#[test]
fn of_several_keys_each_file_is_opened_with_its_own() {
    let bench = Bench::new();
    for name in ["one", "two", "three"] {
        bench.run(&format!("keygen {name}.key")).succeeds();
    }
    bench.run("identity ann.identity").succeeds();
    bench
        .run("recipient ann.identity -o ann.recipient")
        .succeeds();
    for (with, name) in [
        ("-k one.key", "a"),
        ("-k two.key --no-key-id", "b"),
        ("-r ann.recipient", "c"),
    ] {
        bench.write(name, name.as_bytes());
        bench.run(&format!("seal {with} {name}")).succeeds();
    }
    let given = "-k three.key -k one.key -i ann.identity -k two.key";
    for name in ["a", "b", "c"] {
        let run = bench.run(&format!("open {given} {name}.sealed -o -"));
        assert_eq!(run.succeeds().stdout(), name);
    }
    bench
        .run(&format!("verify {given} a.sealed b.sealed c.sealed"))
        .succeeds();
    let id = |name: &str| {
        let about = json(&bench.run(&format!("info --json {name}.key")));
        about[0]["id"].as_str().unwrap().to_owned()
    };
    let [one, two, three] = ["one", "two", "three"].map(id);
    let tried = format!("tried: {two}, {three}");
    bench
        .run("open -k two.key -k three.key a.sealed -o out")
        .fails(
            1,
            &[&format!("the header names key {one}; {tried}"), "two.key, "],
        );
    bench.run("link keygen link.key").succeeds();
    bench
        .run("open -k one.key -k link.key a.sealed -o out")
        .fails(
            1,
            &["key file link.key: it is a key for links, not for files"],
        );
    for arguments in [
        "open -k one.key --passphrase a.sealed",
        "open -i ann.identity --passphrase-file one.key a.sealed",
        "seal -k one.key -k two.key a -o out",
    ] {
        assert_eq!(bench.run(arguments).0.status.code(), Some(2), "{arguments}");
    }
}

#[test]
fn files_are_sealed_to_lists_of_recipients() {
    let bench = Bench::new();
    bench.write("plan", b"at noon");
    for name in ["ann", "bob", "eve"] {
        bench.run(&format!("identity {name}.identity")).succeeds();
        bench
            .run(&format!("recipient {name}.identity -o {name}.recipient"))
            .succeeds();
    }
    bench
        .shell("cat ann.recipient bob.recipient > team")
        .succeeds();
    bench
        .run("seal -R team -r eve.recipient -r ann.recipient plan")
        .succeeds();
    for name in ["ann", "bob", "eve"] {
        let run = bench.run(&format!("open -i {name}.identity plan.sealed -o -"));
        assert_eq!(run.succeeds().stdout(), "at noon");
    }
    let about = json(&bench.run("info --json plan.sealed"));
    assert_eq!(about[0]["recipients"], 3, "ann counts once");
    bench.shell("(cat team; echo oops) > broken").succeeds();
    let line = 1 + String::from_utf8(bench.read("team"))
        .unwrap()
        .lines()
        .count();
    bench.run("seal -R broken plan -o out").fails(
        1,
        &[&format!(
            "recipients file broken: line {line} is not made of"
        )],
    );
    bench
        .run("seal -R missing plan -o out")
        .fails(1, &["missing"]);
    bench
        .run("seal -R team plan -o team --force")
        .fails(1, &["the output is the recipients file team"]);
    for with in ["-k key", "--passphrase-file key"] {
        let run = bench.run(&format!("seal -R team {with} plan -o out"));
        assert_eq!(run.0.status.code(), Some(2), "{with}");
    }
}

#[test]
fn files_are_sealed_with_a_passphrase() {
    let bench = Bench::new();
    bench.write("diary", b"dear diary");
    for (name, line) in [
        ("right", "open sesame\r\nsecond line"),
        ("wrong", "open sesam"),
        ("empty", "\nopen sesame"),
    ] {
        bench.write(name, line.as_bytes());
        bench.chmod(name, 0o600);
    }
    bench.run("seal --passphrase-file right diary").succeeds();
    let run = bench.run("open --passphrase-file right diary.sealed -o -");
    assert_eq!(run.succeeds().stdout(), "dear diary");
    let before = bench.names();
    let run = bench.run("open --passphrase-file wrong diary.sealed -o out");
    assert_eq!(
        run.fails(1, &[]).stderr(),
        "sealwire: diary.sealed: wrong passphrase or damaged header; type it as it was typed for sealing\n"
    );
    bench
        .run("seal --passphrase-file empty diary -o out")
        .fails(1, &["passphrase file empty: its first line is empty"]);
    bench.run("open -k key diary.sealed -o out").fails(
        1,
        &["the file opens with a passphrase, not with a key file; use --passphrase"],
    );
    // Without a terminal nobody can be asked.
    let run = bench.shell("setsid -w $sealwire open --passphrase diary.sealed -o out");
    run.fails(1, &["there is no terminal", "--passphrase-file"]);
    assert_eq!(bench.names(), before);
    let about = json(&bench.run("info --json diary.sealed"));
    assert_eq!(about[0]["passphrase_cost"], "65536 KiB, 3 passes, 4 lanes");
}

#[test]
fn nobody_reads_an_output_who_cannot_read_the_input() {
    let bench = Bench::new();
    for (permissions, expected) in [
        (0o600, 0o600),
        (0o640, 0o640),
        (0o644, 0o644),
        (0o755, 0o644),
    ] {
        let name = format!("{permissions:o}");
        bench.write(&name, b"text");
        bench.chmod(&name, permissions);
        let script = format!(
            "umask 022; $sealwire seal -k key {name} && $sealwire open -k key {name}.sealed -o {name}.opened"
        );
        bench.shell(&script).succeeds();
        assert_eq!(mode(&bench, &format!("{name}.sealed")), expected);
        assert_eq!(mode(&bench, &format!("{name}.opened")), expected);
    }
}

/// A name that reads as another one because a character in it turns the direction of writing.
#[test]
fn names_that_turn_the_direction_of_writing_are_escaped() {
    let bench = Bench::new();
    let turns = [
        '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}',
    ];
    for turn in turns {
        let name = format!("bill{turn}fdp.exe");
        bench
            .run(&format!("info {name}"))
            .fails(1, &[&format!("bill{}fdp.exe", turn.escape_unicode())]);
        bench
            .run(&format!("link check {name}"))
            .fails(1, &[&format!("bill{}fdp.exe", turn.escape_unicode())]);
    }
}

#[test]
fn what_came_out_of_a_damaged_file_is_said_as_it_was() {
    let bench = Bench::new();
    let file = bench.sealed("file", &text(9000));
    for (place, words) in [
        (200, "nothing was written"),
        (8000, "what was written so far"),
    ] {
        let mut bad = file.clone();
        bad[place] ^= 1;
        bench.write("bad", &bad);
        let run = bench.run("open -k key bad -o -");
        run.fails(1, &[words]);
        assert_eq!(run.0.stdout.is_empty(), place < 4096);
    }
}

#[test]
fn recipients_count_once_and_no_more_than_fit() {
    let bench = Bench::new();
    bench.write("plan", b"plan");
    bench.run("identity ann.identity").succeeds();
    bench
        .run("recipient ann.identity -o ann.recipient")
        .succeeds();
    let times = |count: usize| " -r ann.recipient".repeat(count);
    bench.run(&format!("seal{} plan", times(2))).succeeds();
    let said = bench.run("info plan.sealed").succeeds().stdout();
    assert!(
        said.contains("opens with  the identity of its one recipient"),
        "{said}"
    );
    assert!(said.contains("text        4 bytes in 1 chunk\n"), "{said}");
    bench
        .run(&format!("seal{} plan --force", times(55)))
        .succeeds();
    bench.run(&format!("seal{} plan --force", times(56))).fails(
        2,
        &["56 recipients were given, a file is sealed to 55 at most"],
    );
    bench.write("one", b"1");
    bench.run("seal -k key one").succeeds();
    let said = bench.run("info one.sealed").succeeds().stdout();
    assert!(said.contains("text        1 byte in 1 chunk\n"), "{said}");
}

#[test]
fn info_tells_who_is_on_a_list_of_recipients() {
    let bench = Bench::new();
    let (mut files, mut bare) = (Vec::new(), b"# the team\n".to_vec());
    for name in ["ann", "bob", "eve"] {
        bench.run(&format!("identity {name}.identity")).succeeds();
        let recipient = bench
            .run(&format!("recipient {name}.identity"))
            .succeeds()
            .stdout();
        let digits = recipient.lines().nth(3).unwrap();
        bare.extend_from_slice(digits.as_bytes());
        bare.push(b'\n');
        files.extend_from_slice(recipient.as_bytes());
    }
    bench.write("files", &files);
    bench.write("bare", &bare);
    let single = json(&bench.run("info --json ann.identity bob.identity eve.identity"));
    for name in ["files", "bare"] {
        let row = &json(&bench.run(&format!("info --json {name}")))[0];
        assert_eq!(row["kind"], "recipient-list");
        let listed = row["recipients"].as_array().unwrap();
        assert_eq!(listed.len(), 3);
        for (of_list, alone) in listed.iter().zip(single.as_array().unwrap()) {
            assert_eq!(of_list["id"], alone["id"]);
            assert_eq!(of_list["fingerprint"], alone["fingerprint"]);
        }
    }
    let said = bench.run("info bare").succeeds().stdout();
    let of_bob = single[1]["fingerprint"].as_str().unwrap();
    assert!(said.starts_with("bare: list of 3 recipients\n"), "{said}");
    assert!(
        said.contains(&format!("  fingerprint {of_bob}\n")),
        "{said}"
    );

    // Bob's last digits are missing, and Eve is: the line is named.
    let second = bare.iter().position(|&byte| byte == b'\n').unwrap() + 2433 + 1;
    bench.write("cut", &bare[..second + 2332]);
    bench.run("info cut").fails(1, &["line 3", "1216 bytes"]);
}

#[test]
fn arguments_of_wrong_usage_are_escaped_on_the_terminal() {
    let bench = Bench::new();
    for arguments in [
        &["se\x1b[1mal"][..],
        &["seal", "--suite", "o\x1b[31mx"],
        &["seal", "--o\u{202e}x"],
    ] {
        let run = Run(bench.command("").args(arguments).output().unwrap());
        let said = run.stderr();
        assert_eq!(run.0.status.code(), Some(2), "{said}");
        assert!(
            !said.contains('\x1b') && !said.contains('\u{202e}'),
            "{said:?}"
        );
    }
}

#[test]
fn names_are_escaped_on_the_terminal() {
    let bench = Bench::new();
    let name = "evil\x1b[2J\nname.sealed";
    bench.write(name, b"sealfile");
    let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
    let shown = "evil\\u{1b}[2J\\nname.sealed";
    for words in ["open -k key", "seal -k key", "verify -k key", "info", "kat"] {
        let run = Run(bench.command(words).arg(path).output().unwrap());
        let said = run.stdout() + &run.stderr();
        assert!(!said.contains('\x1b'), "{words}: {said:?}");
        assert!(
            words.starts_with("seal") || said.contains(shown),
            "{words}: {said:?}"
        );
    }
    let mut existing = bench.command("open -k key key -o");
    let run = Run(existing.arg(path).output().unwrap());
    run.fails(1, &[&format!("{shown} already exists")]);
    let run = Run(bench
        .command("open -k key")
        .arg("ev\x1bil")
        .output()
        .unwrap());
    run.fails(2, &["ev\\u{1b}il does not end in .sealed"]);
}

#[test]
fn quiet_leaves_out_warnings_and_never_errors() {
    let bench = Bench::new();
    bench.chmod("key", 0o644);
    bench.write("in", b"text");
    let run = bench.run("seal -k key in");
    assert_eq!(
        lines(&run),
        ["sealwire: warning: key file key can be read by others; run: chmod 600 key"]
    );
    bench.run("seal --quiet -k key in -o other").succeeds();
    bench.run("-q seal -k key in -o third").succeeds();
    bench
        .run("seal -q -k key in")
        .fails(1, &["in.sealed already exists"]);
}

#[test]
fn the_version_names_commit_and_instructions() {
    let bench = Bench::new();
    let version = bench.run("--version").succeeds().stdout();
    assert!(
        version.starts_with(concat!("sealwire ", env!("CARGO_PKG_VERSION"), " (")),
        "{version}"
    );
    let path = sealwire::compress::Path::current().to_string();
    assert!(
        version.ends_with(&format!("{path} on this machine)\n")),
        "{version}"
    );
    // Where the sources come from a repository, the commit is one of it.
    if Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../.git")
        .exists()
    {
        let commit = version.split("commit ").nth(1).expect("a commit");
        let digits = commit.split(',').next().unwrap();
        assert!(
            digits.len() >= 12 && digits.bytes().all(|b| b.is_ascii_hexdigit()),
            "{version}"
        );
    }
}

#[test]
fn manual_pages_come_for_every_part() {
    let bench = Bench::new();
    bench.run("man share/man1").succeeds();
    let read =
        |name: &str| fs::read_to_string(bench.path(&format!("share/man1/{name}.1"))).unwrap();
    let main = read("sealwire");
    assert!(main.contains(".TH sealwire 1") && !main.contains("on this machine"));
    let seal = read("sealwire-seal");
    for words in ["chunk\\-size", "passphrase\\-file", "recipient", "Examples"] {
        assert!(seal.contains(words), "{words}: {seal}");
    }
    assert!(read("sealwire-verify").contains("FAILED"));
    bench
        .run("man key")
        .fails(1, &["cannot make key: File exists"]);
}

#[test]
fn a_directory_is_told_how_to_be_packed() {
    let bench = Bench::new();
    fs::create_dir(bench.path("photos")).unwrap();
    bench.write("photos/one", b"picture");
    let run = bench.run("seal -k key photos/");
    run.fails(1, &["photos/ is a directory; give a file, or pack it: tar c photos | sealwire seal -k key - -o photos.tar.sealed"]);
    // What is shown can be copied into a shell.
    fs::create_dir(bench.path("my dir;x")).unwrap();
    bench.shell("$sealwire seal -k key 'my dir;x'").fails(
        1,
        &["tar c 'my dir;x' | sealwire seal -k key - -o 'my dir;x.tar.sealed'"],
    );
    bench
        .shell("tar c photos/ | $sealwire seal -k key - -o photos.tar.sealed && rm -r photos && $sealwire open -k key photos.tar.sealed -o - | tar x")
        .succeeds();
    assert_eq!(bench.read("photos/one"), b"picture");
}

#[test]
fn tags_are_made_of_the_files_that_are_there() {
    let bench = Bench::new();
    bench.run("keygen --suite ascon-mac mac.key").succeeds();
    bench.write("a", b"a");
    bench.write("b", b"b");
    let run = bench.run("mac -k mac.key a missing b");
    assert_eq!(run.0.status.code(), Some(1));
    assert_eq!(
        lines(&run),
        [
            "sealwire: cannot open missing: No such file or directory; check the path",
            "sealwire: 1 of 3 have no tag: see the reasons",
        ]
    );
    let stdout = run.stdout();
    let names: Vec<_> = stdout.lines().map(|line| &line[34..]).collect();
    assert_eq!(names, ["a", "b"]);
    let rows = json(&bench.run("mac --json -k mac.key a missing b"));
    assert!(rows[1]["tag"].is_null() && rows[1]["reason"].is_string());
    assert!(rows[2]["tag"].is_string());
    let tag = &stdout[..32];
    let run = bench.run(&format!("mac -k mac.key --verify --tag {tag} missing a b"));
    run.fails(1, &["1 of 3 not authentic", "1 of 3 could not be checked"]);
    assert!(
        run.stdout().contains("missing: NOT CHECKED, ")
            && run.stdout().contains("a: OK\nb: FAILED\n")
    );
}

#[test]
fn kat_tells_unsupported_schemes_from_failures() {
    let bench = Bench::new();
    let good = format!(
        "{}/../../vectors/omdsha256k128n96tau128v2.rsp",
        env!("CARGO_MANIFEST_DIR")
    );
    let name = "nosuchscheme.rsp";
    let records = "Count = 1\nKey = 00\nNonce = 00\nPT = \nAD = \nCT = 00\n";
    bench.write(name, records.as_bytes());
    let run = bench.run(&format!("kat {name} {good}"));
    assert_eq!(run.0.status.code(), Some(1));
    let last = run.stdout().lines().last().unwrap().to_owned();
    assert!(
        last.ends_with(" passed, 0 failed, 1 unsupported") && !last.starts_with("0 "),
        "{last}"
    );
    assert!(run.stdout().contains("nosuchscheme.rsp: unsupported"));
    let rows = json(&bench.run(&format!("kat --json {name}")));
    assert_eq!(rows["unsupported"], 1);
    assert_eq!(rows["failed"], 0);
    assert_eq!(rows["files"][0]["unsupported"], true);
}

#[test]
fn a_replaced_file_opens_to_nobody() {
    let bench = Bench::new();
    bench.write("text", b"secret");
    bench.chmod("text", 0o600);
    bench.write("wide", b"");
    bench.chmod("wide", 0o644);
    bench.run("seal -k key text").succeeds();
    bench
        .run("open -k key text.sealed -o wide --force")
        .succeeds();
    assert_eq!(mode(&bench, "wide"), 0o600);
    bench.write("narrow", b"");
    bench.chmod("narrow", 0o600);
    bench.chmod("text.sealed", 0o644);
    bench
        .run("open -k key text.sealed -o narrow --force")
        .succeeds();
    assert_eq!(mode(&bench, "narrow"), 0o600);
}

/// Only root, or a member of two groups, can give a file to another group.
#[test]
fn permissions_of_a_group_are_not_given_to_another_one() {
    let bench = Bench::new();
    bench.write("text", b"secret");
    bench.chmod("text", 0o640);
    if std::os::unix::fs::chown(bench.path("text"), None, Some(1234)).is_err() {
        return;
    }
    bench.run("seal -k key text").succeeds();
    assert_eq!(mode(&bench, "text.sealed"), 0o600);
}

#[test]
fn a_command_goes_on_where_nobody_can_be_told() {
    let bench = Bench::new();
    bench.write("text", b"text");
    bench.chmod("key", 0o644);
    bench
        .shell("$sealwire seal -k key text 2> /dev/full")
        .succeeds();
    bench.chmod("key", 0o600);
    bench.run("open -k key text.sealed -o again").succeeds();
    let run = bench.shell("$sealwire open -k text text.sealed -o - 2> /dev/full");
    assert_eq!(run.0.status.code(), Some(1));
}

#[test]
fn a_file_that_the_suite_cannot_hold_is_refused_before_it_is_read() {
    let bench = Bench::new();
    let long = std::fs::File::create(bench.path("long")).unwrap();
    // It takes no room on the disk, and would take minutes to read.
    if long.set_len((1 << 40) + 1).is_err() {
        return;
    }
    let before = bench.names();
    bench
        .run("seal -k key long")
        .fails(1, &["at most 1 TiB", "omd-sha512"]);
    assert_eq!(bench.names(), before);
}

#[test]
fn the_public_key_of_a_link_can_be_asked_for_again() {
    let bench = Bench::new();
    let said = bench
        .run("link noise-key end.noise-key")
        .succeeds()
        .stdout();
    let public = bench.run("link pubkey end.noise-key").succeeds().stdout();
    assert_eq!(public.trim().len(), 64);
    assert!(said.ends_with(&public), "{said}");
    let piped = bench.run_with("link pubkey", &bench.read("end.noise-key"));
    assert_eq!(piped.succeeds().stdout(), public);
    bench.run("keygen file.key").succeeds();
    for (key, words) in [
        ("file.key", "file.key: it is a key for files, not for"),
        (
            "key",
            "key: it holds 64 bytes, a key for the Noise channel has 32",
        ),
    ] {
        let run = bench.run(&format!("link pubkey {key}"));
        run.fails(1, &[words, "link noise-key"]);
    }
    bench.run("link pubkey gone").fails(1, &["gone"]);
}
