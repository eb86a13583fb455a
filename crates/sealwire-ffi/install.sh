#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh FOLDER PREFIX: installs header, libraries, pkg-config file and CMake package from cargo's output folder. DESTDIR is
# obeyed. `make install-c PREFIX=/usr/local` builds first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
from=$1
prefix=$2
root=${DESTDIR:-}$prefix
case $prefix in
  /*) ;;
  *) echo "PREFIX is \"$prefix\"; it must be an absolute path, for example /usr/local" >&2; exit 1 ;;
esac
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -n 1)
abi=$(sed -n 's/^#define SEALWIRE_ABI_VERSION //p' "$here/include/sealwire.h")
test -n "$version" && test -n "$abi"
shared=libsealwire.so.$abi.$version
cmake=lib/cmake/sealwire

install -d "$root/include" "$root/lib/pkgconfig" "$root/$cmake"
install -m 644 "$here/include/sealwire.h" "$root/include/sealwire.h"
install -m 644 "$from/libsealwire_ffi.a" "$root/lib/libsealwire.a"
install -m 755 "$from/libsealwire_ffi.so" "$root/lib/$shared"
# What only debuggers and LLVM's linker read: of Rust's standard library above all.
if command -v objcopy > /dev/null; then
  for library in libsealwire.a "$shared"; do
    objcopy --strip-debug -R .llvmbc -R .llvmcmd "$root/lib/$library"
  done
fi
ln -sf "$shared" "$root/lib/libsealwire.so.$abi"
ln -sf "libsealwire.so.$abi" "$root/lib/libsealwire.so"
cat > "$root/lib/pkgconfig/sealwire.pc" <<END
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: sealwire
Description: Authenticated encryption of messages and files
URL: https://github.com/sealwire/sealwire
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lsealwire
Libs.private: -lpthread -ldl -lm
END
cat > "$root/$cmake/sealwire-config.cmake" <<END
# find_package(sealwire) gives the targets sealwire::sealwire (shared) and sealwire::static.
get_filename_component(_sealwire_prefix "\${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)
if(NOT TARGET sealwire::sealwire)
  add_library(sealwire::sealwire SHARED IMPORTED)
  set_target_properties(sealwire::sealwire PROPERTIES
    IMPORTED_LOCATION "\${_sealwire_prefix}/lib/$shared"
    IMPORTED_SONAME "libsealwire.so.$abi"
    INTERFACE_INCLUDE_DIRECTORIES "\${_sealwire_prefix}/include")
  add_library(sealwire::static STATIC IMPORTED)
  set_target_properties(sealwire::static PROPERTIES
    IMPORTED_LOCATION "\${_sealwire_prefix}/lib/libsealwire.a"
    INTERFACE_LINK_LIBRARIES "pthread;dl;m"
    INTERFACE_INCLUDE_DIRECTORIES "\${_sealwire_prefix}/include")
endif()
unset(_sealwire_prefix)
END
cat > "$root/$cmake/sealwire-config-version.cmake" <<END
set(PACKAGE_VERSION "$version")
# Before 1.0 a new minor version may change the interface.
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR PACKAGE_FIND_VERSION VERSION_LESS "${version%.*}")
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
END
echo "installed libsealwire $version (ABI $abi) in $prefix"
if test -z "${DESTDIR:-}"; then
  echo "programs find libsealwire.so.$abi after \`ldconfig\` (as root, for /usr/local/lib and what /etc/ld.so.conf names), or with LD_LIBRARY_PATH=$prefix/lib"
fi
