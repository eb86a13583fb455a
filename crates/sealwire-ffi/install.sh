#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh FOLDER PREFIX: installs header, libraries and pkg-config file from cargo's output folder. DESTDIR is obeyed.
# `make install-c PREFIX=/usr/local` builds first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
from=$1
prefix=$2
root=${DESTDIR:-}$prefix
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -n 1)
abi=$(sed -n 's/^#define SEALWIRE_ABI_VERSION //p' "$here/include/sealwire.h")
test -n "$version" && test -n "$abi"

install -d "$root/include" "$root/lib/pkgconfig"
install -m 644 "$here/include/sealwire.h" "$root/include/sealwire.h"
install -m 644 "$from/libsealwire_ffi.a" "$root/lib/libsealwire.a"
install -m 755 "$from/libsealwire_ffi.so" "$root/lib/libsealwire.so.$abi.$version"
ln -sf "libsealwire.so.$abi.$version" "$root/lib/libsealwire.so.$abi"
ln -sf "libsealwire.so.$abi" "$root/lib/libsealwire.so"
cat > "$root/lib/pkgconfig/sealwire.pc" <<END
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: sealwire
Description: Authenticated encryption from compression functions (OMD, p-OMD, SIV-OMD)
URL: https://github.com/sealwire/sealwire
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lsealwire
Libs.private: -lpthread -ldl -lm
END
echo "installed libsealwire $version (ABI $abi) in $prefix"
