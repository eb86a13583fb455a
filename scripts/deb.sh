#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deb.sh COMMAND FOLDER PROVIDER OUT: makes OUT, a Debian package of the command COMMAND with its unit, completions, manual pages and
# dissector, of the C library in cargo's output FOLDER, and of the OpenSSL provider PROVIDER. `make deb` builds these first.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
command=$1
folder=$2
provider=$3
out=$4
for tool in dpkg dpkg-deb objdump; do
  command -v $tool > /dev/null || { echo "deb.sh: $tool is missing: install dpkg and binutils" >&2; exit 3; }
done
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$top/Cargo.toml" | head -n 1)
architecture=$(dpkg --print-architecture)
multiarch=$(${CC:-cc} -print-multiarch)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
# No umask of whoever builds is to decide who can read what.
chmod 755 "$stage"
umask 022

# Where Debian's zsh looks.
DESTDIR=$stage ZSH_FUNCTIONS=share/zsh/vendor-completions "$top/crates/sealwire-cli/install.sh" install "$command" /usr > /dev/null
DESTDIR=$stage "$top/crates/sealwire-ffi/install.sh" "$folder" /usr > /dev/null
strip "$stage/usr/bin/sealwire"
install -D -m 644 "$provider" "$stage/usr/lib/$multiarch/ossl-modules/sealwire.so"
strip --strip-unneeded "$stage/usr/lib/$multiarch/ossl-modules/sealwire.so"
gzip -9n "$stage"/usr/share/man/man1/*.1
doc=$stage/usr/share/doc/sealwire
install -d "$doc"
gzip -9nc "$top/CHANGELOG.md" > "$doc/changelog.gz"
{
  echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
  echo "Upstream-Name: sealwire"
  echo "Source: https://github.com/sealwire/sealwire"
  echo
  echo "Files: *"
  echo "Copyright: the Sealwire contributors"
  echo "License: Apache-2.0"
  echo " On Debian systems the text is in /usr/share/common-licenses/Apache-2.0."
} > "$doc/copyright"

# The newest version of a symbol that the binaries need of the C library.
libc=$(objdump -T "$stage/usr/bin/sealwire" "$stage"/usr/lib/libsealwire.so.*.* "$stage/usr/lib/$multiarch/ossl-modules/sealwire.so" |
  grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -n 1)
mkdir "$stage/DEBIAN"
cat > "$stage/DEBIAN/control" <<END
Package: sealwire
Version: $version
Architecture: $architecture
Maintainer: The Sealwire project <https://github.com/sealwire/sealwire>
Installed-Size: $(du -sk --apparent-size "$stage/usr" | cut -f1)
Depends: libc6 (>= $libc), libgcc-s1
Recommends: libssl3 | libssl3t64
Section: utils
Priority: optional
Homepage: https://github.com/sealwire/sealwire
Description: authenticated encryption of files and links
 The command sealwire seals files and pipes with keys, recipients or
 passphrases, runs one end of an encrypted link, and makes tags. With it come
 the library libsealwire for C, a provider for OpenSSL 3, a dissector for
 Wireshark (/usr/share/sealwire) and the systemd unit sealwire@.service.
END
cat > "$stage/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
if [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
END
sed 's/^set -e$/set -e\n[ "$1" = remove ] || [ "$1" = purge ] || exit 0/' "$stage/DEBIAN/postinst" > "$stage/DEBIAN/postrm"
chmod 755 "$stage/DEBIAN/postinst" "$stage/DEBIAN/postrm"
# The loader learns of libsealwire.so.
echo "activate-noawait ldconfig" > "$stage/DEBIAN/triggers"
(cd "$stage" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums)
# One commit gives one package, byte for byte, from the same binaries.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2> /dev/null || date +%s)}
export SOURCE_DATE_EPOCH
mkdir -p "$(dirname "$out")"
dpkg-deb --root-owner-group --build -Zxz "$stage" "$out"
