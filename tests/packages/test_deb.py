# SPDX-License-Identifier: Apache-2.0
"""The Debian package: built, installed over a copy of this system, each part of it used, and removed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: Runs a script in a copy of this system that vanishes with it: what it writes goes into memory. Needs root, or leave
#: to be root in a namespace of users.
COPY = """
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/over" "$1/work" "$1/root"
mount -t overlay overlay -o lowerdir=/,upperdir="$1/over",workdir="$1/work" "$1/root"
mount --bind /dev "$1/root/dev"
mount -t proc proc "$1/root/proc"
mkdir -p "$1/root$1"
cp "$2" "$1/root$1/sealwire.deb"
cp "$3" "$1/root$1/script"
exec chroot "$1/root" /bin/sh -e "$1/script" "$1"
"""

USE = r"""
cd "$1"
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
dpkg -i sealwire.deb > /dev/null
dpkg --verify sealwire
echo installed

# the command
echo "meet me at noon" > note
/usr/bin/sealwire keygen key
/usr/bin/sealwire seal -k key note
/usr/bin/sealwire open -k key note.sealed -o -

# the library, found by pkg-config and by the loader
cat > program.c <<'END'
#include <sealwire.h>
#include <stdio.h>
int main(void) { return puts(sealwire_version()) < 0 || sealwire_abi_version() != SEALWIRE_ABI_VERSION; }
END
cc program.c $(pkg-config --cflags --libs sealwire) -o program
./program

# the provider, where OpenSSL looks for modules
if command -v openssl > /dev/null; then
  modules=$(dirname "$(dpkg -L sealwire | grep ossl-modules/)")
  openssl list -provider-path "$modules" -provider sealwire -mac-algorithms | grep -c ascon-mac
else
  echo 1
fi

# what others read
for file in /usr/lib/systemd/system/sealwire@.service /usr/share/sealwire/sealwire.lua \
  /usr/share/man/man1/sealwire-seal.1.gz \
  /usr/share/bash-completion/completions/sealwire /usr/share/zsh/vendor-completions/_sealwire \
  /usr/share/fish/vendor_completions.d/sealwire.fish /usr/share/doc/sealwire/copyright; do
  test -s $file
  test "$(stat -c '%U %a' $file)" = "root 644"
done
grep -q '^ExecStart=/usr/bin/sealwire ' /usr/lib/systemd/system/sealwire@.service
dpkg -L sealwire | sort > owned
echo "complete"

dpkg --purge sealwire > /dev/null
while read -r path; do
  if test -f "$path" || test -L "$path"; then echo "left: $path"; fi
done < owned
test ! -e /usr/share/sealwire
if grep -q libsealwire /etc/ld.so.cache; then echo "left in the cache of the loader"; fi
echo removed
"""


def skip_unless_possible() -> None:
    for tool in ("dpkg", "dpkg-deb", "objdump", "unshare", "cc", "pkg-config"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of what `cargo test` has built."""
    skip_unless_possible()
    folder = tmp_path_factory.mktemp("deb")
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
    run = {"cwd": ROOT, "check": True}
    subprocess.run(["cargo", "build", "--locked", "--quiet", "-p", "sealwire-ffi", "-p", "sealwire-cli"], **run)  # type: ignore[call-overload]
    module = folder / "sealwire.so"
    made = subprocess.run(
        [ROOT / "crates/sealwire-provider/build.sh", built, module], capture_output=True, text=True, check=False
    )
    if made.returncode == 3:
        pytest.skip(made.stderr.strip())
    assert made.returncode == 0, made.stderr
    out = folder / "sealwire.deb"
    subprocess.run([ROOT / "scripts/deb.sh", built / "sealwire", built, module, out], **run)  # type: ignore[call-overload]
    return out


def query(package: Path, *arguments: str) -> str:
    return subprocess.run(["dpkg-deb", *arguments, package], capture_output=True, text=True, check=True).stdout


def test_the_package_says_what_it_is(package: Path) -> None:
    fields = dict(line.split(": ", 1) for line in query(package, "--field").splitlines() if ": " in line)
    version = next(line for line in (ROOT / "Cargo.toml").read_text().splitlines() if line.startswith("version"))
    assert fields["Package"] == "sealwire"
    assert fields["Version"] == version.split('"')[1]
    assert fields["Depends"].startswith("libc6 (>= 2.")
    owners = {line.split()[1] for line in query(package, "--contents").splitlines()}
    assert owners == {"root/root"}
    folders = [line.split()[5] for line in query(package, "--contents").splitlines() if line[0] != "d"]
    assert all(name.startswith("./usr/") for name in folders), folders


def test_one_commit_gives_one_package(package: Path, tmp_path: Path) -> None:
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
    again = tmp_path / "again.deb"
    module = package.parent / "sealwire.so"
    subprocess.run(
        [
            "sh",
            "-c",
            'umask 077; sleep 1; exec "$@"',
            "sh",
            ROOT / "scripts/deb.sh",
            built / "sealwire",
            built,
            module,
            again,
        ],
        check=True,
    )
    assert again.read_bytes() == package.read_bytes()


def test_installed_used_and_removed(package: Path, tmp_path: Path) -> None:
    namespace = ["unshare", "--mount", "--pid", "--fork"]
    if os.geteuid() != 0:
        namespace.append("--map-root-user")
    copy = tmp_path / "copy"
    copy.mkdir()
    (tmp_path / "script").write_text(USE)
    can = subprocess.run(
        [
            *namespace,
            "sh",
            "-c",
            COPY.replace("exec chroot", "exit 0; exec chroot"),
            "sh",
            copy,
            package,
            tmp_path / "script",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if can.returncode:
        pytest.skip(f"no copy of this system can be made here: {can.stderr.strip().splitlines()[-1]}")
    done = subprocess.run(
        [*namespace, "sh", "-c", COPY, "sh", copy, package, tmp_path / "script"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "HOME": "/root", "LANG": "C.UTF-8"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "installed"
    assert lines[1] == "meet me at noon"
    assert lines[2].startswith("0.")
    assert int(lines[3]) >= 1
    assert lines[4:] == ["complete", "removed"], done.stdout
