.PHONY: demo install deb tarball lazy commit package-test test simulate mutations format lint setup documents docs site

PREFIX ?= /usr/local

# SwiftPM hands the traits to the compiler in the order of a set, so that the next build finds other flags and starts
# over unless the hashes stay the same. Only the build gets this: what it built runs with hashes of its own.
# Nobody debugs BoringSSL here.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 swift build -Xcxx -g0

SWIFT_FILES = Package.swift Sources Adapters Tests Samples/QuickStart Samples/EchoServer Samples/Edukit Samples/RPic Samples/SyncBlog Samples/TaskDo Samples/ZaCloud Samples/Zone Samples/ThirdPartyAdapter/Package.swift Samples/ThirdPartyAdapter/Sources Samples/ThirdPartyAdapter/Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/CleanConsumer/Package.swift Benchmarks/CleanConsumer/Sources

# See the main job done, against a source that runs in the same process. From nothing it builds what that takes and no more, in
# a folder of its own: with other traits, the next build of everything would start over. Where everything is built already,
# that is brought up to date instead.
ifeq ($(wildcard .build/debug/atmos),)
DEMO_TRAITS = --disable-default-traits --traits Demo --scratch-path .build/demo --disable-index-store -debug-info-format none
DEMO_FOLDER = .build/demo
else
DEMO_FOLDER = .build
endif
demo: setup
	@$(BUILD) $(DEMO_TRAITS) --quiet --product atmos
	@$(DEMO_FOLDER)/debug/atmos demo

# The command alone, optimized. On Linux with the Swift runtime in it, so that it runs where there is no Swift; nothing
# loads it as a library, so it exports no symbols. On x86_64 libcurl and libxml2 are loaded with the first call.
RELEASE = $(BUILD) -c release --product atmos
ifeq ($(shell uname),Linux)
RELEASE += --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic
RELEASE += -Xlinker $(COMMIT) -Xlinker --export-dynamic-symbol=atmos_commit
endif
ifeq ($(shell uname -sm),Linux x86_64)
LAZY = $(CURDIR)/.build/lazy
RELEASE += --pkg-config-path $(LAZY)
endif

# What `atmos --version` names beside the version: a constant of C, linked to the command; `unknown` outside of a repository.
COMMIT = $(CURDIR)/.build/commit.o
commit:
	@mkdir -p .build
	@echo 'const char atmos_commit[] = "'"$$(git describe --always --dirty --match= 2>/dev/null || echo unknown)"'";' \
		| cc -x c -c -o $(COMMIT) -

# The command with its manual page, completions and licences, below PREFIX.
install: setup lazy commit
	$(RELEASE)
	Scripts/package.sh install "$$($(RELEASE) --show-bin-path)/atmos" "$(abspath $(PREFIX))"

# A package for Debian and Ubuntu, and an archive for any Linux with this C library or a newer one, in .build/packages.
deb tarball: setup lazy commit
	$(RELEASE)
	Scripts/package.sh $@ "$$($(RELEASE) --show-bin-path)/atmos"

lazy:
ifdef LAZY
	Scripts/lazy-library.py libcurl $(LAZY)
	Scripts/lazy-library.py libxml-2.0 $(LAZY)
endif

# Installs, tries and removes the package in a bare system of its own, made by debootstrap: as root. SUITE=trixie for another.
package-test: deb
	Scripts/package-test.sh $(SUITE)

# What keeps the processor busy for long runs apart from what has time limits.
BUSY = SimulationTests|RouteFileFuzzTests|AdapterMatrixTests|JSONFileDamageTests|JSONFileCrashTests|Hostile[A-Za-z]*Tests

# What starts and kills the command hundreds of times, alone as well.
KILLS = FilePointTests|KillTests

# What waits for nobody but itself. It would keep the others waiting: all share as many threads as there are processors.
UNITS = ^(AtmosphereTests|AtmosphereAdapterTests|AtmosphereSocketIOTests)[.]

# Browsers leave the others too little of the machine.
PAGES = InteropTests[.]PageTests

# What measures times, or waits for what must not happen, alone.
TIMED = SocketIOTests/protocolSuites|TransportConformanceTests|SourceServerTests

# One build for all; the samples and what measures times come first, so that the tests have the last word. The last part has
# its time in the last line.
test: setup
	Scripts/part.sh build env $(BUILD) --build-tests
	Scripts/part.sh samples Scripts/samples.sh
	Scripts/part.sh benchmarks Scripts/benchmarks.sh
	Scripts/part.sh consumer Scripts/clean-consumer.sh --check
	Scripts/part.sh mutations Scripts/mutations.py --check
	printf "%s\n" "1-500 --plain" 1-300 301-600 "1-40 --sqlite" | Scripts/part.sh simulations xargs -P 2 -L 1 "$$(swift build --show-bin-path)/simulate"
	ATMOSPHERE_TIMINGS=1 Scripts/part.sh timed Scripts/test.sh timed --no-parallel --filter '$(TIMED)'
	Scripts/part.sh kills Scripts/test.sh kills --filter '$(KILLS)'
	Scripts/part.sh busy Scripts/test.sh busy --filter '$(BUSY)'
	Scripts/part.sh units Scripts/test.sh units --filter '$(UNITS)' --skip '$(BUSY)|$(TIMED)'
	Scripts/part.sh pages Scripts/test.sh pages --filter '$(PAGES)'
	Scripts/test.sh peers --skip '$(UNITS)|$(BUSY)|$(KILLS)|$(PAGES)|SourceServerTests'

# Runs each sample, and compares what it prints with its README.
samples: setup
	$(BUILD)
	Scripts/samples.sh

# Simulations of clients, network and server from seeds: SEEDS=1-2000, or SEED=7 for one with its trace; FLAGS=--sqlite.
# CONFIGURATION=release runs what is optimized, some ten times as fast. What fails is printed with its trace, shrunk. It needs the core
# alone, and a build folder of its own for that.
SEEDS ?= 1-2000
CONFIGURATION ?= debug
simulate:
	$(BUILD) -c $(CONFIGURATION) --disable-default-traits --traits SQLite --scratch-path .build/simulate --product simulate
	.build/simulate/$(CONFIGURATION)/simulate $(or $(SEED),$(SEEDS)) $(FLAGS)

# Deliberate faults, put into a copy of the sources: the simulation must notice each.
mutations:
	Scripts/mutations.py

# The files in docs/ that the command writes itself; tests prove them fresh.
documents: setup
	$(BUILD) --product atmos
	"$$($(BUILD) --show-bin-path)/atmos" schema > docs/route-file.schema.json
	"$$($(BUILD) --show-bin-path)/atmos" manual > docs/atmos.1

# The guides and symbols of the core by DocC: no link may lead nowhere, and each public type is in a topic. Lists symbols
# without a sentence.
docs: setup
	$(BUILD) --target Atmosphere
	Scripts/docs.sh

# The guides and symbols of all modules as pages with search, which open from a folder: SITE/index.html.
SITE ?= .build/site
site: setup
	$(BUILD)
	Scripts/docs.sh --site "$(SITE)"

format:
	swift format format --in-place --parallel --recursive $(SWIFT_FILES)

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)
	@# Swift 6.3.1 loses what stands before an await in one tuple or payload when it optimizes: `(index, try await …)`.
	! grep -rnE '\(\w+(\.\w+)*, *(try )?await ' --include=*.swift Sources Adapters
	Scripts/links.py --check
	Scripts/links.py

# What building and testing need of the system; silent when all is there.
setup:
	@Scripts/setup.sh
