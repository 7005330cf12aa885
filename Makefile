# Everything a person or CI runs. `make help` lists the targets.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
BIN := bin/godot-mcp
GODOT_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/godot-mcp/godot
# The engine to test against: GODOT_BIN, or what `make godot` installed.
ENGINE = $(or $(GODOT_BIN),$(GODOT_CACHE)/tree/usr/bin/godot)
GOLANGCI_VERSION := v2.15.0
GOLANGCI = go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

.PHONY: help build demo test test-race test-godot matrix compare corpus fidelity test-misfortune test-clients test-browser bench godot check generate fuzz clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

build: ## bin/godot-mcp, one static file
	CGO_ENABLED=0 go build -o $(BIN) ./cmd/godot-mcp

demo: build ## the main job, on the simulated editor (GODOT_BIN=… for a real one)
	$(BIN) demo $(if $(GODOT_BIN),--godot $(GODOT_BIN))

test: ## every test that needs no Godot
	go test -timeout 30m ./...
	go test -tags models ./evals/model/...

test-race: ## the same under the race detector
	go test -race -timeout 30m ./...

godot: ## install a headless Godot 4.6 into the user cache, without root
	scripts/install-godot $(GODOT_CACHE)

test-godot: ## the suite and the engine tests on a real editor
	@test -x "$(ENGINE)" || { echo "no engine at $(ENGINE): set GODOT_BIN or run make godot" >&2; exit 1; }
	GODOT_BIN="$(ENGINE)" go test -tags godot -count=1 -timeout 60m -p 1 ./addon/... ./cmd/... ./server/godot/... ./fakeeditor/... ./scripts/...

matrix: ## every edit at every kind of node, on a real editor (test-godot takes a twentieth)
	@test -x "$(ENGINE)" || { echo "no engine at $(ENGINE): set GODOT_BIN or run make godot" >&2; exit 1; }
	GODOT_BIN="$(ENGINE)" go test -tags godot -count=1 -timeout 0 -v -run TestVerdictMatrixGodot ./scripts -args -matrix-share 1

N ?= 200
SEED ?= 1
compare: ## random calls on both editors: N sequences from SEED, first differences printed as scenarios
	@test -x "$(ENGINE)" || { echo "no engine at $(ENGINE): set GODOT_BIN or run make godot" >&2; exit 1; }
	GODOT_BIN="$(ENGINE)" go test -tags godot -count=1 -timeout 0 -run TestCompareRandomRuns ./scripts -args -compare-n $(N) -compare-seed $(SEED)

corpus: ## scenes of other projects, opened and saved on both editors: DIRS=folder,folder
	@test -x "$(ENGINE)" || { echo "no engine at $(ENGINE): set GODOT_BIN or run make godot" >&2; exit 1; }
	GODOT_BIN="$(ENGINE)" go test -tags godot -count=1 -timeout 0 -v -run 'TestCorpus$$' ./scripts -args -corpus "$(DIRS)"

fidelity: ## scripts/FIDELITY.md anew, from N sequences without a difference
	@test -x "$(ENGINE)" || { echo "no engine at $(ENGINE): set GODOT_BIN or run make godot" >&2; exit 1; }
	GODOT_BIN="$(ENGINE)" go test -tags godot -count=1 -timeout 0 -run TestCompareRandomRuns ./scripts -args -compare-n $(N) -compare-seed $(SEED) -fidelity FIDELITY.md

test-clients: build ## Claude Code, Codex and opencode (from npm) against the simulated editor
	GODOT_MCP_BIN="$(CURDIR)/$(BIN)" go test -tags clients -count=1 -timeout 30m -v ./scripts/clients/...

test-misfortune: ## 2,000 bad days in virtual time, and the faults that they must find
	go test -tags misfortune -count=1 -timeout 30m ./scripts/misfortune -args -seeds 2000

test-browser: ## the approval console in a headless Chromium (CONSOLE_SHOTS=DIR keeps pictures)
	go test -tags browser -count=1 -timeout 10m ./server/approval/console/... ./cmd/godot-mcp -run Browser

bench: build ## speed and memory, as ratios in one run (GODOT_BIN=… for the real editor beside it)
	go test -run '^$$' -bench . -benchmem ./...
	@if test -x "$(ENGINE)"; then GODOT_BIN="$(ENGINE)" go test -tags godot -run '^$$' -bench BenchmarkGodot -timeout 20m ./scripts; \
	else echo "bench: no engine at $(ENGINE), the real editor is left out (make godot)"; fi

check: ## formatting, vet, builds for other systems, lint
	@out=$$(gofmt -l .); test -z "$$out" || { echo "gofmt: $$out"; exit 1; }
	go vet ./...
	go vet -tags godot,browser,misfortune ./...
	go vet -tags clients,models ./scripts/clients/... ./evals/model/...
	$(GOLANGCI) run ./...

generate: ## schemas, command tables, tool reference
	go generate ./...

FUZZTIME ?= 10s
fuzz: ## every fuzz target for FUZZTIME
	scripts/fuzz-all $(FUZZTIME)

clean:
	rm -rf bin
