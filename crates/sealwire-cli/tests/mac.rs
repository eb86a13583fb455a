// SPDX-License-Identifier: Apache-2.0
//! `sealwire mac`: tags made and checked.

mod support;

use std::fs;
use support::{Bench, text};

/// A bench whose file `mac.key` holds 00 01 .. 0f, the key of the known answers.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("mac.key", b"000102030405060708090a0b0c0d0e0f\n");
    bench.chmod("mac.key", 0o600);
    bench
}

/// The tag of the known answer whose message is 00 01 .. (`len` - 1).
fn answer(scheme: &str, len: usize) -> String {
    let path = format!("{}/../../vectors/{scheme}.rsp", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    let records = text
        .split("\n\n")
        .filter(|record| record.contains("Msg = "));
    let field = |record: &str, name: &str| {
        let line = record.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap().trim().to_owned()
    };
    let record = records
        .into_iter()
        .find(|record| {
            field(record, "Msg =").len() == 2 * len && field(record, "Key =").starts_with("000102")
        })
        .unwrap();
    let message: Vec<u8> = (0..len as u8).collect();
    assert_eq!(field(record, "Msg ="), hex(&message), "{scheme}");
    field(record, "Tag =").to_lowercase()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

#[test]
fn tags_are_the_known_answers() {
    let bench = bench();
    let message: Vec<u8> = (0..16).collect();
    bench.write("message", &message);
    for scheme in ["fsks64", "asconfarfalle"] {
        let line = bench
            .run(&format!("mac -k mac.key --scheme {scheme} message"))
            .succeeds()
            .stdout();
        assert_eq!(line, format!("{}  message\n", answer(scheme, 16)));
    }
    let empty = bench
        .run("mac -k mac.key -s asconmacav12 -")
        .succeeds()
        .stdout();
    assert_eq!(empty, format!("{}  -\n", answer("asconmacav12", 0)));
    let long = bench
        .run("mac -k mac.key -s ascon-prf --tag-bytes 64 -")
        .succeeds()
        .stdout();
    assert_eq!(long, format!("{}  -\n", answer("asconprfv13", 0)));
}

#[test]
fn a_list_of_tags_is_checked_line_by_line() {
    let bench = bench();
    bench.write("one", &text(100_000));
    bench.write("two words", &text(5));
    bench
        .shell("$sealwire mac -k mac.key one 'two words' > tags")
        .succeeds();
    let run = bench.run("mac -k mac.key --verify tags");
    assert_eq!(run.succeeds().stdout(), "one: OK\ntwo words: OK\n");
    // From a pipe, with the other marks that sha256sum writes.
    let tags = String::from_utf8(bench.read("tags")).unwrap();
    let other = tags
        .to_uppercase()
        .replace("  ONE", " *one")
        .replace("  TWO WORDS", "  two words\r");
    bench
        .run_with("mac -k mac.key --verify -", other.as_bytes())
        .succeeds();

    bench.write("one", &text(99_999));
    let run = bench.run("mac -k mac.key --verify tags");
    run.fails(1, &["1 of 2 not authentic"]);
    assert_eq!(run.stdout(), "one: FAILED\ntwo words: OK\n");
    let json = bench.run("mac -k mac.key --verify --json tags").stdout();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["authentic"], false);
    assert_eq!(json[1]["file"], "two words");
}

/// A file that is gone, a folder, a tag of another length: the rest of the list is checked all the same.
#[test]
fn what_cannot_be_checked_does_not_end_the_list() {
    let bench = bench();
    bench.write("good", &text(100));
    bench.write("bad", &text(101));
    bench.shell("mkdir folder").succeeds();
    let good = bench.run("mac -k mac.key good").succeeds().stdout();
    let tag = good.split(' ').next().unwrap();
    let list = format!(
        "{tag}  nowhere\n{tag}  folder\n{tag}  bad\n{}  good\n{good}",
        &tag[..16]
    );
    bench.write("tags", list.as_bytes());
    let run = bench.run("mac -k mac.key --verify tags");
    run.fails(1, &["1 of 5 not authentic", "3 of 5 could not be checked"]);
    let stdout = run.stdout();
    let lines: Vec<_> = stdout.lines().collect();
    for (line, words) in lines.iter().zip([
        &["nowhere: NOT CHECKED, ", "check the path"][..],
        &["folder: NOT CHECKED, ", "directory"],
        &["bad: FAILED"],
        &["good: NOT CHECKED, ", "wrong tag length"],
        &["good: OK"],
    ]) {
        assert!(words.iter().all(|word| line.contains(word)), "{line}");
    }
    assert_eq!(lines.len(), 5);
    assert_each_line_names_its_file_once(&lines);

    let run = bench.run("mac -k mac.key --verify --json tags");
    run.fails(1, &["could not be checked"]);
    let json: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 5);
    assert_eq!(json[0]["authentic"], false);
    assert_eq!(json[0]["file"], "nowhere");
    assert!(
        json[0]["reason"]
            .as_str()
            .unwrap()
            .contains("check the path")
    );
    assert_eq!(json[2].get("reason"), None);
    assert_eq!(json[4]["authentic"], true);

    // A list that is none ends the command, but not what was found before.
    bench.write("none", b"not a tag\n");
    let run = bench.run("mac -k mac.key --verify --json tags none");
    run.fails(1, &["none:1"]);
    let json: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 5);
}

/// A line begins with the name of its file, and its reason does not say the name again. The advice after it may, as part of a command.
fn assert_each_line_names_its_file_once(lines: &[&str]) {
    for line in lines {
        let (name, rest) = line.split_once(": ").unwrap();
        let reason = rest.split(';').next().unwrap();
        let mut words = reason.split([' ', ':', ',']);
        assert!(words.all(|word| word != name), "{line}");
    }
}

/// One tag and several files: a line each, as for a list. One file alone has no line, so the error names it.
#[test]
fn what_one_tag_is_not_checked_for_is_named_once() {
    let bench = bench();
    bench.write("good", &text(100));
    bench.shell("mkdir folder").succeeds();
    let good = bench.run("mac -k mac.key good").succeeds().stdout();
    let tag = good.split(' ').next().unwrap();
    for (tag, verdict) in [
        (tag, "good: OK"),
        (&tag[..16], "good: NOT CHECKED, wrong tag length"),
    ] {
        let run = bench.run(&format!(
            "mac -k mac.key --verify --tag {tag} nowhere folder good"
        ));
        run.fails(1, &["of 3 could not be checked"]);
        let stdout = run.stdout();
        let lines: Vec<_> = stdout.lines().collect();
        assert!(
            lines[0].starts_with("nowhere: NOT CHECKED, cannot open it: "),
            "{stdout}"
        );
        assert!(
            lines[1].starts_with("folder: NOT CHECKED, it is a directory; give "),
            "{stdout}"
        );
        assert!(lines[2].starts_with(verdict), "{stdout}");
        assert_each_line_names_its_file_once(&lines);
    }
    for (file, words) in [
        ("nowhere", "cannot open nowhere: "),
        ("folder", "folder is a directory"),
    ] {
        bench
            .run(&format!("mac -k mac.key --verify --tag {tag} {file}"))
            .fails(1, &[words]);
    }
    bench
        .run(&format!("mac -k mac.key --verify --tag {} -", &tag[..16]))
        .fails(1, &["standard input: wrong tag length"]);
}

/// A line that is none, as a list cut short or commented has it: said by its number, and it is no success.
#[test]
fn a_line_that_is_none_does_not_end_the_list() {
    let bench = bench();
    bench.write("good", &text(100));
    let good = bench.run("mac -k mac.key good").succeeds().stdout();
    bench.write("tags", format!("# tags\n\n{good}{}", &good[..9]).as_bytes());
    let run = bench.run("mac -k mac.key --verify tags");
    run.fails(1, &["2 of 3 could not be checked"]);
    let stdout = run.stdout();
    let lines: Vec<_> = stdout.lines().collect();
    assert!(lines[0].starts_with("tags:1: NOT CHECKED, a line must read"));
    assert_eq!(lines[1], "good: OK");
    assert!(lines[2].starts_with("tags:4: NOT CHECKED, a line must read"));
    assert_eq!(lines.len(), 3);
}

/// A name must not command the terminal that shows a list or a verdict.
#[test]
fn control_characters_in_names_are_refused_or_escaped() {
    let bench = bench();
    for name in ["a\nb", "a\x1b[2Jb", "a\x7fb", "a\u{9b}b", "a\rb"] {
        bench.write(name, b"text");
        let mut command = bench.command("mac -k mac.key");
        let run = support::Run(command.arg(name).output().unwrap());
        run.fails(1, &["control characters", "give the file as -"]);
        assert_eq!(run.stdout(), "");
        assert!(!run.stderr().trim_end().contains(char::is_control));
    }
    let tag = answer("asconmacv13", 0);
    let list = format!("{tag}  a\x1b[2Jb\n{tag}  gone\u{9b}\n");
    bench.write("tags", list.as_bytes());
    let run = bench.run("mac -k mac.key --verify tags");
    run.fails(1, &["1 of 2 not authentic", "1 of 2 could not"]);
    let stdout = run.stdout();
    assert!(
        stdout.starts_with("a\\u{1b}[2Jb: FAILED\ngone\\u{9b}: NOT CHECKED, "),
        "{stdout}"
    );
    assert!(!stdout.replace('\n', "").contains(char::is_control));
}

#[test]
fn one_tag_is_checked_by_itself() {
    let bench = bench();
    let tag = answer("asconmacv13", 0);
    let run = bench.run(&format!("mac -k mac.key --verify --tag {tag} -"));
    assert_eq!(run.succeeds().stdout(), "-: OK\n");
    bench
        .run_with(&format!("mac -k mac.key --verify --tag {tag} -"), b"x")
        .fails(1, &["1 of 1 not authentic"]);
    let wrong = if tag.starts_with('0') { "1" } else { "0" };
    bench
        .run(&format!(
            "mac -k mac.key --verify --tag {wrong}{} -",
            &tag[1..]
        ))
        .fails(1, &["not authentic"]);
    // Another scheme, another key, a beginning of the tag.
    for arguments in ["-k mac.key -s ascon-maca", "-k other.key"] {
        bench.write("other.key", "ff".repeat(16).as_bytes());
        bench.chmod("other.key", 0o600);
        bench
            .run(&format!("mac {arguments} --verify --tag {tag} -"))
            .fails(1, &["not authentic"]);
    }
    bench
        .run(&format!("mac -k mac.key --verify --tag {} -", &tag[..16]))
        .fails(1, &["wrong tag length", "given 8 bytes"]);
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let bench = bench();
    bench.write("list", b"not a tag\n");
    bench.write("empty", b"");
    bench.write("gone", format!("{}  nowhere\n", "00".repeat(16)).as_bytes());
    for (arguments, code, words) in [
        ("-k key file", 1, &["key", "64 bytes", "keygen --suite"][..]),
        ("-k mac.key nowhere", 1, &["nowhere", "check the path"]),
        ("-k mac.key --verify list", 1, &["list:1", "TAG  FILE"]),
        ("-k mac.key --verify empty", 1, &["holds no tag"]),
        (
            "-k mac.key --verify gone",
            1,
            &["1 of 1 could not be checked"],
        ),
        ("-k mac.key --verify --tag xyz -", 2, &["hexadecimal"]),
        ("-k mac.key --tag-bytes 8 -", 2, &["wrong tag length"]),
        (
            "-k mac.key -s ascon-prf --tag-bytes 99999999 -",
            2,
            &["at most"],
        ),
        ("-k mac.key - -", 2, &["once"]),
    ] {
        bench.run(&format!("mac {arguments}")).fails(code, words);
    }
    bench
        .run_with("mac -k mac.key -s ascon-prfs -", &[0; 17])
        .fails(1, &["wrong message length", "given 17"]);
    // The parser's own words.
    for arguments in [
        "-k mac.key",
        "-k mac.key -s hmac -",
        "-k mac.key --tag 00 -",
    ] {
        let run = bench.run(&format!("mac {arguments}"));
        assert_eq!(
            run.0.status.code(),
            Some(2),
            "{arguments}: {}",
            run.stderr()
        );
    }
    bench
        .shell("$sealwire mac -k mac.key key > /dev/full")
        .fails(1, &["standard output"]);
}

#[test]
fn a_key_for_a_mac_is_made_and_fits_nothing_else() {
    let bench = bench();
    bench.run("keygen --suite fsks-64 new.key").succeeds();
    bench
        .run_with("mac -k new.key -s fsks-64 -", b"text")
        .succeeds();
    bench
        .run_with("seal -k new.key -", b"text")
        .fails(1, &["key for tags, not for files"]);
}
