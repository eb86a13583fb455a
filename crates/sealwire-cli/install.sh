#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh install|uninstall COMMAND PREFIX: puts the command, its unit, the Wireshark dissector, completions and manual pages under PREFIX, or removes
# them. DESTDIR is obeyed. ZSH_FUNCTIONS is the folder under PREFIX for zsh's completion, where it is not the one that zsh looks into. COMMAND is the built command; `make install PREFIX=/usr/local` builds first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
what=$1
command=$2
prefix=$3
root=${DESTDIR:-}$prefix
case $prefix in
  /*) ;;
  *) echo "PREFIX is \"$prefix\"; it must be an absolute path, for example /usr/local" >&2; exit 1 ;;
esac

unit=lib/systemd/system/sealwire@.service
dissector=share/sealwire/sealwire.lua
bash=share/bash-completion/completions/sealwire
# Debian's zsh looks into vendor-completions below /usr, and as everybody's into site-functions below /usr/local.
site=share/zsh/site-functions
vendor=share/zsh/vendor-completions
if [ "$prefix" = /usr ] && [ -e /etc/debian_version ]; then zsh=$vendor; else zsh=$site; fi
zsh=${ZSH_FUNCTIONS:-$zsh}/_sealwire
fish=share/fish/vendor_completions.d/sealwire.fish
manual=share/man/man1

case $what in
  install)
    for file in bin/sealwire "$unit" "$dissector" "$bash" "$zsh" "$fish"; do
      install -d "$root/$(dirname "$file")"
    done
    install -m 755 "$command" "$root/bin/sealwire"
    sed "s|/usr/local/bin/|$prefix/bin/|" "$here/systemd/sealwire@.service" > "$root/$unit"
    install -m 644 "$here/../../wireshark/sealwire.lua" "$root/$dissector"
    "$command" completions bash > "$root/$bash"
    "$command" completions zsh > "$root/$zsh"
    "$command" completions fish > "$root/$fish"
    install -d "$root/$manual"
    "$command" man "$root/$manual"
    chmod 644 "$root/$manual"/sealwire*.1
    chmod 644 "$root/$unit" "$root/$bash" "$root/$zsh" "$root/$fish"
    echo "installed sealwire in $prefix"
    case $prefix in
      /usr | /usr/local) ;;
      *) echo "zsh finds its completion with this line in ~/.zshrc, before compinit: fpath=($prefix/${zsh%/*} \$fpath)" ;;
    esac
    ;;
  uninstall)
    for file in bin/sealwire "$unit" "$dissector" "$bash" "$site/_sealwire" "$vendor/_sealwire" "$zsh" "$fish"; do
      rm -f "$root/$file"
    done
    rm -f "$root/$manual"/sealwire.1 "$root/$manual"/sealwire-*.1
    # The one folder that is nobody else's.
    rmdir "$root/share/sealwire" 2> /dev/null || true
    echo "removed sealwire from $prefix"
    ;;
  *)
    echo "install.sh: install or uninstall, not $what" >&2
    exit 1
    ;;
esac
