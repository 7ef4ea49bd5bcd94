.PHONY: demo test format lint setup

SWIFT_FILES = Package.swift Sources Adapters Tests Samples/Package.swift Samples/QuickStart Benchmarks/Package.swift Benchmarks/Sources

# See the main job done, against a source that runs in the same process.
demo: setup
	@swift run --quiet atmos demo

# One build for all; the samples come first, so that the tests have the last word.
test: setup
	swift build --build-tests
	Scripts/samples.sh
	swift test --skip-build

format:
	swift format format --in-place --parallel --recursive $(SWIFT_FILES)

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)

# What building and testing need of the system; silent when all is there.
setup:
	@Scripts/setup.sh
