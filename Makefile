# Formation's entry points. They need Go, make and git, and build every other
# tool that they use.

GO ?= go
TOOLS := .tools/bin
SOURCES := $(wildcard cmd internal tools)
MODULES := . tools/protogen tools/gosdk
NODE_SDK := tools/sdktest/node_modules/.package-lock.json

# Programs are linked statically, as those that are published are: they run on
# any Linux, and start without a dynamic loader.
STATIC := CGO_ENABLED=0 $(GO)

# The race detector needs a C compiler. Where there is none, tests run without.
RACE ?= $(shell [ "$$($(GO) env CGO_ENABLED)" = 1 ] && command -v $$($(GO) env CC) >/dev/null && echo -race)

# Tests and the demo find tofu and the real providers as a user's shell would.
export PATH := $(CURDIR)/$(TOOLS):$(PATH)
export GOWORK := off

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test build testkit bench fmt lint generate tools

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build testkit $(TOOLS)/tofu $(TOOLS)/terraform-provider-time ## import a small estate and prove that nothing would change
	bin/formation demo

test: lint tools $(NODE_SDK) ## run every check and every test
	@[ "$(CI)" != true ] || [ -n "$(RACE)" ] || { echo 'CI needs the race detector: install a C compiler'; exit 1; }
	tools/unchanged $(MAKE) --no-print-directory generate
	$(GO) -C tools/protogen test ./...
	$(GO) test $(RACE) -timeout 20m ./...
	[ -z "$(RACE)" ] || $(GO) test -run '^TestNoGrowth$$' ./internal/bridge/lifecycle # too slow with the race detector
	@tools/untested '$(RACE)'

build: ## compile the programs into bin/
	$(STATIC) build -o bin/ ./cmd/...

testkit: ## compile the programs that tests and the demo run into bin/testkit/
	$(STATIC) build -o bin/testkit/ ./internal/testkit/cmd/...

bench: build testkit tools ## measure speed and accuracy, and print one table
	$(GO) run ./internal/testkit/cmd/bench

fmt: ## format every Go file
	"$$($(GO) env GOROOT)/bin/gofmt" -w $(SOURCES)

lint: $(TOOLS)/golangci-lint ## formatting, go vet, golangci-lint, tidy modules
	@files="$$("$$($(GO) env GOROOT)/bin/gofmt" -l $(SOURCES))" || exit 1; \
		[ -z "$$files" ] || { echo "make fmt would change:" $$files; exit 1; }
	@set -e; for module in $(MODULES); do \
		echo "$(GO) mod tidy -diff, go vet and golangci-lint run in $$module"; \
		$(GO) -C $$module mod tidy -diff || { echo "go mod tidy would change it so"; exit 1; }; \
		$(GO) -C $$module vet ./...; \
		(cd $$module && $(CURDIR)/$(TOOLS)/golangci-lint run ./...); \
	done

generate: ## write every generated file again
	$(GO) generate ./...

tools: $(TOOLS)/tofu $(TOOLS)/terraform-provider-time $(TOOLS)/terraform-provider-kubernetes $(TOOLS)/golangci-lint ## build the pinned tools

# Each tool is rebuilt when the module that pins it changes. Its build is
# touched because go leaves a file alone that is right already.

$(TOOLS)/tofu: tools/tofu/go.mod tools/tofu/go.sum
	@echo 'OpenTofu is built once, in a few minutes.'
	$(STATIC) -C tools/tofu build -buildvcs=false -o $(CURDIR)/$@ \
		-ldflags '-s -w -X github.com/opentofu/opentofu/version.dev=no' github.com/opentofu/opentofu/cmd/tofu
	@touch $@

$(TOOLS)/terraform-provider-time: tools/providers/go.mod tools/providers/go.sum
	$(STATIC) -C tools/providers build -buildvcs=false -o $(CURDIR)/$@ github.com/hashicorp/terraform-provider-time
	@touch $@

$(TOOLS)/terraform-provider-kubernetes: tools/kubernetes/go.mod tools/kubernetes/go.sum
	$(STATIC) -C tools/kubernetes build -buildvcs=false -o $(CURDIR)/$@ -ldflags '-s -w' github.com/hashicorp/terraform-provider-kubernetes
	@touch $@

$(TOOLS)/golangci-lint: tools/lint/go.mod tools/lint/go.sum
	$(GO) -C tools/lint build -buildvcs=false -o $(CURDIR)/$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

# What generated TypeScript is compiled against and run with.
$(NODE_SDK): tools/sdktest/package.json tools/sdktest/package-lock.json
	@if command -v npm >/dev/null; then npm ci --prefix tools/sdktest --no-audit --no-fund --loglevel=error; \
	elif [ "$(CI)" = true ]; then echo 'CI needs npm'; exit 1; fi
