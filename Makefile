# SPDX-License-Identifier: Apache-2.0
# Everything a user or contributor types. `make help` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

UV_VERSION := 0.13.9
BORINGTUN_VERSION := 0.7.1
CARGO_FUZZ_VERSION := 0.13.2
CARGO_DENY_VERSION := 0.20.2
UV := build/uv/bin/uv
BIN := .venv/bin
# Packages that lie here and are used where they lie.
LAB := model lab demo assurance
PY_SOURCES := conftest.py $(LAB) python tests embedded scripts boards
# Generated registers have their generator's style; the linters of the language see them through `sealwire-lab lint`.
SV_SOURCES = $(shell find hdl boards tests -name generated -prune -o \( -name '*.sv' -o -name '*.svh' \) -print)
VERIBLE_FORMAT := $(BIN)/verible-verilog-format --column_limit=120
VERIBLE_LINT := $(BIN)/verible-verilog-lint --rules_config=hdl/.rules.verible_lint
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Trust what the host trusts, as pip and cargo do.
export UV_SYSTEM_CERTS := 1
# Python's bytecode is kept, whatever the host says: every simulation starts a Python of its own.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test test-all lab lint fmt setup lock install uninstall bench clean
.PHONY: lint-rust lint-others test-rust test-python test-model test-lab test-rtl test-kat test-demo test-gateway test-embedded test-aarch64 test-exhaustive test-tools firmware embedded bench-link bench-python wheels soak fuzz fuzz-library fuzz-sanitizer fuzz-mutation assurance proofs structure protocol mutants dependencies sbom install-c provider deb crates

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

## ---- the two commands -------------------------------------------------------------------------

run: build/lab.stamp $(if $(findstring --gateway,$(ARGS)),target/release/sealwire) ## watch a ping and a file cross two link encryptors made of our RTL (ARGS='--suite omd-sha512 ...')
	$(BIN)/sealwire-lab run $(ARGS)

# Two rows that run side by side: what compiles Rust or waits for a network, and what simulates.
WAITING_PARTS := lint test-rust test-python test-demo test-gateway
SIMULATING_PARTS := test-kat test-rtl
OTHER_PARTS := test-model test-lab

test: ## everything that must be green (24 minutes on two fast cores)
	@scripts/test-parts.sh "make test" $(WAITING_PARTS) test-embedded test-aarch64 -- $(SIMULATING_PARTS) $(OTHER_PARTS)

test-all: ## the exhaustive set: every vector on every core, every frame length, a sample of planted defects
	@scripts/test-parts.sh "make test-all" $(WAITING_PARTS) $(OTHER_PARTS) test-exhaustive

## ---- parts of `make test` ---------------------------------------------------------------------

lint: setup ## formatters and linters for Rust, Python and SystemVerilog
	@$(MAKE) --jobs=2 --output-sync=target lint-rust lint-others

lint-rust:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo clippy -p sealwire-link --no-deps --features noise --locked -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked --quiet

lint-others:
	$(BIN)/ruff format --check $(PY_SOURCES)
	$(BIN)/ruff check $(PY_SOURCES)
	$(BIN)/mypy
	@$(VERIBLE_FORMAT) --verify --inplace $(SV_SOURCES)
	@$(VERIBLE_LINT) $(SV_SOURCES)
	$(BIN)/sealwire-lab lint
	$(BIN)/sealwire-lab tables --check

test-rust: ## the library, the link crate, the command
	cargo test --workspace --exclude sealwire-python --locked
	cargo check --locked -p sealwire --no-default-features

test-python: build/python.stamp target/debug/sealwire ## the Python package
	$(BIN)/pytest python/tests tests/packages

test-lab: build/lab.stamp ## the lab's own parts, and what plants defects
	$(BIN)/pytest lab/tests assurance/tests tests/mutants tests/probing -n 2 --dist loadfile

test-model: build/python.stamp build/lab.stamp ## the executable specification against published answers, suites against their table, the protocol against an attacker
	$(BIN)/pytest tests/model tests/suites tests/protocol -n 2 --dist loadgroup

test-kat: target/debug/sealwire build/lab.stamp ## known answers: library on every file, cores on a sample of each
	target/debug/sealwire kat vectors/*.rsp
	$(BIN)/pytest tests/kat tests/netlist tests/export tests/resources -n 2 --dist loadgroup

test-rtl: build/python.stamp build/lab.stamp target/debug/sealwire ## behaviour of cores, common parts and link (cocotb on Verilator)
	$(BIN)/pytest tests/aead tests/mac tests/lib tests/primitives tests/link tests/board tests/firmware tests/interfaces tests/proofs -n 3 --dist loadgroup

test-demo: build/lab.stamp target/debug/sealwire ## the job of `make run`, shortened
	$(BIN)/pytest tests/demo

test-gateway: target/debug/sealwire build/lab.stamp ## gateways, and RTL beside them, with a man in the middle, in namespaces
	SEALWIRE=$(CURDIR)/target/debug/sealwire $(BIN)/pytest tests/gateway tests/interop -n 4

test-exhaustive: build/python.stamp build/lab.stamp target/release/sealwire
	target/release/sealwire kat vectors/*.rsp
	$(BIN)/pytest tests -n 2 --dist loadgroup --exhaustive

test-tools: build/uv.stamp ## install what some tests use and no wheel holds, as root on Debian: browser, simulators, cross compilers
	scripts/test-tools.sh

test-embedded: build/venv.stamp ## the C port of AES-OTR on this host, ARMv7 (qemu) and AVR (simavr), as far as the tools are there
	$(BIN)/pytest tests/embedded -q -n 2

test-aarch64: build/venv.stamp ## the library on AArch64 (qemu), on every set of instructions that it has there, as far as the tools are there
	$(BIN)/pytest tests/aarch64 -q

firmware: build/lab.stamp ## build the firmware of the boards' processor, and say where its image lies (docs/firmware.md)
	@$(BIN)/python -m sealwire_lab.firmware

embedded: build/venv.stamp ## measure the C port: cycles, ROM and RAM on AVR, instructions on ARMv7 (ARGS='--json')
	$(BIN)/python embedded/measure.py $(ARGS)

soak: ## ten million packets between two software ends, new keys every 4 s (about two minutes; ARGS=100000000: ten)
	cargo run --release --locked -p sealwire-link --example soak -- $(ARGS)

FUZZ_SECONDS ?= 60
FUZZ_TARGETS := header endpoint noise
FUZZ_SANITIZER ?= none
fuzz: build/fuzz/bin/cargo-fuzz ## every parser of the link's wire format, guided by coverage, a minute each (FUZZ_SECONDS=600)
	for target in $(FUZZ_TARGETS); do \
	  PATH=$(CURDIR)/build/fuzz/bin:$$PATH cargo fuzz run --sanitizer $(FUZZ_SANITIZER) $$target -- \
	    -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -len_control=0 -timeout=10 -print_final_stats=1; \
	done

fuzz-library: ## every scheme and MAC on every set of instructions, and sealed files, the same way
	@$(MAKE) fuzz FUZZ_TARGETS='library macs sealed_file file_texts'

# The compiler takes sanitizers for unstable; its word for that needs no other tool chain.
fuzz-sanitizer: ## the same under AddressSanitizer, which sees a read or write of one byte too many (a quarter of an hour to build)
	@RUSTC_BOOTSTRAP=1 $(MAKE) fuzz-library FUZZ_SANITIZER=address

fuzz-mutation: ## the same without a C++ compiler: packets mutated by knowledge of the format, two minutes
	SEALWIRE_FUZZ_SECONDS=120 SEALWIRE_FUZZ_SEED=$$RANDOM cargo test --locked -p sealwire-link --test mutation -- --nocapture

build/fuzz/bin/cargo-fuzz:
	cargo install --quiet --locked --root build/fuzz --version $(CARGO_FUZZ_VERSION) cargo-fuzz

# The crates under the library without instructions of the processor that few others have.
SOFT := $(foreach crate,aes polyval sha2,--cfg $(crate)_backend="soft")
assurance: dependencies ## the library: running time, secrets, valgrind, Miri, a bare target, dependencies (docs/assurance.md; ten minutes)
	cargo run --release --locked -p sealwire --example constant_time
	RUSTFLAGS='--cfg aes_backend="soft"' cargo run --release --locked --target-dir target/soft -p sealwire --example constant_time -- 100000 otr
	CARGO_PROFILE_RELEASE_DEBUG=line-tables-only cargo run --release --locked --target-dir target/secrets -p sealwire --example secrets
	CARGO_PROFILE_RELEASE_DEBUG=line-tables-only RUSTFLAGS='$(SOFT)' \
	  cargo run --release --locked --target-dir target/secrets-soft -p sealwire --example secrets
	cargo test --locked -p sealwire-ffi --test c -- --ignored
	rustup target add thumbv7em-none-eabi
	cargo build --locked -p sealwire --no-default-features --target thumbv7em-none-eabi
	@if cargo +nightly miri --version > /dev/null 2>&1; then \
	  cargo +nightly miri test --locked -p sealwire-ffi --lib --test pointers; \
	else echo "skipped: Miri is not installed (rustup toolchain install nightly --component miri,rust-src)"; fi

proofs: build/lab.stamp ## formal proofs on the RTL, each with mutants that it must refute (ARGS=--record)
	$(BIN)/python tests/proofs/prover.py $(ARGS)
	@$(MAKE) structure ARGS=
	PYTHONPATH=tests $(BIN)/python tests/proofs/zeroise.py

structure: build/lab.stamp ## prove of every core that its timing is constant and that clear and rst leave no secret (ARGS='omd-sha512-r1 ...')
	PYTHONPATH=tests $(BIN)/python tests/proofs/structure.py $(ARGS)

protocol: build/lab.stamp ## explore handshake and rekey against an attacker who holds the network, with counter-examples (ARGS='part of a name')
	PYTHONPATH=tests $(BIN)/python tests/protocol/scenarios.py $(ARGS)

mutants: build/python.stamp build/lab.stamp ## plant 400 single defects in hdl/, count those that the tests find; hours, resumable (ARGS='--room common')
	$(BIN)/sealwire-lab mutants $(ARGS)

dependencies: ## licences, sources and duplicates of all crates; advisories if their database can be fetched
	@command -v cargo-deny > /dev/null || test -x build/tools/bin/cargo-deny || \
	  cargo install --quiet --locked --root build/tools --version $(CARGO_DENY_VERSION) cargo-deny
	@export PATH="$$PATH:$(CURDIR)/build/tools/bin"; cargo deny --locked check licenses bans sources; \
	if cargo deny --locked fetch db > /dev/null 2>&1; then cargo deny --locked check advisories; \
	else echo "skipped: the advisory database cannot be fetched"; fi

sbom: build/venv.stamp ## what Sealwire is made of and built with: every crate and Python package, in CycloneDX (build/sbom)
	@mkdir -p build/sbom
	@$(BIN)/python scripts/sbom.py build/sbom/sealwire.cdx.json

## ---- set-up -----------------------------------------------------------------------------------

setup: build/python.stamp build/lab.stamp ## install all tools into .venv/ and build/

lab: build/lab.stamp ## install the lab (`sealwire-lab`) with all that stands on it, and the executable specification into .venv/, without Rust

PREFIX ?= /usr/local
BUILT = $(or $(CARGO_TARGET_DIR),target)/release
COMMAND ?= target/release/sealwire

install: $(COMMAND) ## install command, unit, dissector and completions (PREFIX=/usr/local, DESTDIR)
	@crates/sealwire-cli/install.sh install $(COMMAND) $(PREFIX)

uninstall: ## remove what `make install` has put there (PREFIX=/usr/local, DESTDIR)
	@crates/sealwire-cli/install.sh uninstall "" $(PREFIX)

install-c: ## install sealwire.h, libsealwire, its pkg-config file and CMake package (PREFIX=/usr/local)
	cargo build --release --locked -p sealwire-ffi
	crates/sealwire-ffi/install.sh $(BUILT) $(PREFIX)

crates: ## the crates as crates.io would get them, built from what would be uploaded; nothing is uploaded
	cargo publish --dry-run $(foreach crate,sealwire sealwire-link sealwire-file sealwire-cli,-p $(crate)) $(ARGS)

.PHONY: command-aarch64
command-aarch64: ## build the command for AArch64, for any Linux there: target/aarch64-unknown-linux-musl/release/sealwire
	rustup target add aarch64-unknown-linux-musl
	cargo build --release --locked -p sealwire-cli --target aarch64-unknown-linux-musl

deb: $(COMMAND) provider ## build a Debian package of command, C library, provider, unit, completions, manual and dissector (build/sealwire_VERSION_ARCH.deb)
	scripts/deb.sh $(COMMAND) $(BUILT) build/sealwire.so build/sealwire_$$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)_$$(dpkg --print-architecture).deb

provider: ## build the OpenSSL 3 provider build/sealwire.so (docs/openssl.md)
	@mkdir -p build
	cargo build --release --locked -p sealwire-ffi
	crates/sealwire-provider/build.sh $(BUILT) build/sealwire.so

.PHONY: coverage
coverage: build/lab.stamp ## lines and toggles of the RTL that the behaviours among the fast tests reach, on simulators that count; resumable (ARGS=--record)
	$(BIN)/sealwire-lab coverage --run $(ARGS)

.PHONY: report
report: build/lab.stamp ## the shipped results as a web site: build/report/index.html
	$(BIN)/sealwire-lab report $(ARGS)

bench: ## measure the library beside its bars and other libraries (ARGS='--scheme omd-sha512 ...')
	cargo run --release --locked --quiet -p sealwire-cli --features peers -- bench $(ARGS)

PYCA_VERSION := 50.0.2
bench-python: build/uv.stamp ## measure the Python package beside the C interface and the package cryptography (ARGS='--scheme ... --json')
	cargo build --release --locked --quiet -p sealwire-ffi
	test -x build/bench-python/bin/python || $(UV) venv --quiet --python python3 build/bench-python
	$(UV) pip install --quiet --python build/bench-python/bin/python cryptography==$(PYCA_VERSION) ./python
	build/bench-python/bin/python python/bench/speed.py $(ARGS)

bench-link: target/release/sealwire build/venv.stamp build/peers/bin/boringtun-cli ## the gateway beside WireGuard in user space and in the kernel, as root (ARGS='--rounds 5 --json ...')
	SEALWIRE=$(CURDIR)/target/release/sealwire $(BIN)/python tests/gateway/bench.py --peer build/peers/bin/boringtun-cli $(ARGS)

# A peer to measure beside; nothing of ours needs it.
build/peers/bin/boringtun-cli:
	cargo install --quiet --locked --root build/peers --version $(BORINGTUN_VERSION) boringtun-cli

# Zig links against the symbols of an old glibc; whoever ships wheels needs it, nobody else.
ZIG_VERSION := 0.15.2
HOST_ARCH := $(shell uname -m)
WHEELS ?= $(HOST_ARCH)
wheels: build/venv.stamp ## a wheel for every Linux with glibc 2.17 and Python 3.11 or newer, and an sdist (build/wheels; WHEELS='x86_64 aarch64')
	rm -rf build/wheels
	test -x build/zig/bin/python || $(UV) venv --quiet --python python3 build/zig
	$(UV) pip install --quiet --python build/zig/bin/python ziglang==$(ZIG_VERSION)
	cd python && export PATH=$(CURDIR)/build/zig/bin:$(CURDIR)/$(BIN):$$PATH && \
	  $(foreach arch,$(filter-out $(HOST_ARCH),$(WHEELS)),rustup target add $(arch)-unknown-linux-gnu && ) \
	  $(foreach arch,$(WHEELS),maturin build --release --locked --zig --compatibility manylinux2014 --out ../build/wheels \
	    $(if $(filter-out $(HOST_ARCH),$(arch)),--target $(arch)-unknown-linux-gnu) && ) \
	  maturin sdist --out ../build/wheels

lock: ## resolve requirements.in and Cargo.toml anew
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  requirements.in -o requirements.lock
	cargo update --workspace

build/uv.stamp: scripts/check-host.sh
	@mkdir -p build
	@scripts/check-host.sh
	python3 -m venv build/uv
	build/uv/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@touch $@

build/venv.stamp: requirements.lock build/uv.stamp
	@test -x $(BIN)/python || $(UV) venv --quiet --python python3 .venv
	$(UV) pip install --quiet --require-hashes -r requirements.lock
	@touch $@

build/lab.stamp: build/venv.stamp $(LAB:%=%/pyproject.toml)
	$(UV) pip install --quiet --no-deps --no-build-isolation $(LAB:%=-e %)
	@touch $@

# In the profile of the tests, which then compile every crate once.
build/python.stamp: build/venv.stamp $(shell find python crates/sealwire crates/sealwire-file crates/sealwire-link -name '*.rs' -o -name '*.toml' -o -name '*.py' -o -name '*.pyi') Cargo.lock
	MATURIN_PEP517_ARGS='--profile dev --locked' $(UV) pip install --quiet --no-deps --no-build-isolation --reinstall ./python
	@touch $@

target/debug/sealwire: $(shell find crates -name '*.rs' -o -name '*.toml') Cargo.lock
	cargo build --workspace --exclude sealwire-python --lib --bins --examples --locked
	@touch $@

target/release/sealwire: $(shell find crates -name '*.rs' -o -name '*.toml') Cargo.lock
	cargo build --release --locked -p sealwire-cli
	@touch $@

fmt: build/venv.stamp ## format everything
	cargo fmt --all
	$(BIN)/ruff format $(PY_SOURCES)
	$(BIN)/ruff check --fix $(PY_SOURCES)
	$(VERIBLE_FORMAT) --inplace $(SV_SOURCES)

clean: ## remove what was built
	rm -rf build target fuzz/target .venv run
