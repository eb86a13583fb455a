#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh FOLDER OUT: builds the OpenSSL provider OUT (sealwire.so) with libsealwire_ffi.a from cargo's output FOLDER.
# `make provider` builds the library first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if ! printf '#include <openssl/core_dispatch.h>\n' | ${CC:-cc} -fsyntax-only -x c - 2> /dev/null; then
    echo "build.sh: the headers of OpenSSL 3 are missing: install libssl-dev (Debian), openssl-devel (Fedora)" >&2
    exit 3
fi
# nodelete: code that keeps data for each thread must not be unloaded while threads live.
${CC:-cc} -std=c11 -O2 -g -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow -Wconversion -Werror ${CFLAGS:-} \
    -I"$here/../sealwire-ffi/include" "$here/provider.c" "$here/mac.c" "$1/libsealwire_ffi.a" \
    -shared -Wl,--exclude-libs,ALL -Wl,-z,nodelete -Wl,-z,defs -Wl,-z,relro -Wl,-z,now \
    -lcrypto -lpthread -ldl -lm -o "$2"
