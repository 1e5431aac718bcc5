# What a developer does daily. CI is .ci/run.

.PHONY: build test race bench bench-table bench-compare growth lint fuzz docs sweep figures shots validate ablation slurm server ci

build: ; go build -o avsim ./cmd/avsim

test: ; go test ./...

race: ; go test -race ./sim/... ./scheduler/... ./cmd

bench: ; go test -run '^$$' -bench . -benchmem ./sim

# The engine beside others, and against main.
bench-table: ; cd bench && go run .
bench-compare: ; scripts/bench-compare

# The cost of an event by how many tables there are: docs/growth.png. Takes five minutes.
growth: ; GOMAXPROCS=1 go run ./scripts/growth -o docs

lint: ; gofmt -l . ; go vet ./... ; go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

# Each parser, and the stores of dead rows, for half a minute.
fuzz:
	go test ./sim/experiment -run '^$$' -fuzz FuzzParseNumbers -fuzztime 30s
	go test ./sim/experiment -run '^$$' -fuzz FuzzReadCSV -fuzztime 30s
	go test ./sim/experiment -run '^$$' -fuzz FuzzOpenJournal -fuzztime 30s
	go test ./workload/guc -run '^$$' -fuzz FuzzSet -fuzztime 30s
	go test ./workload/host -run '^$$' -fuzz FuzzParse -fuzztime 30s -fuzzminimizetime 1x
	go test ./workload/recorded -run '^$$' -fuzz FuzzRead -fuzztime 30s
	go test ./workload/scenario -run '^$$' -fuzz FuzzRun -fuzztime 30s -fuzzminimizetime 1x
	go test ./workload/pgexport -run '^$$' -fuzz FuzzRead -fuzztime 30s
	go test ./workload/pglog -run '^$$' -fuzz FuzzScan -fuzztime 30s
	go test ./scheduler/deadtid -run '^$$' -fuzz FuzzStores -fuzztime 30s
	go test ./scheduler/expect -run '^$$' -fuzz FuzzParse -fuzztime 30s
	go test ./workload/scenario -run '^$$' -fuzz FuzzParse -fuzztime 30s -fuzzminimizetime 1x

# What is generated in docs: manual pages, and what the tutorial's commands print.
docs: ; go test ./cmd -count=1 -run 'ManIsCurrent|Tutorial$$' -regen

sweep: ; go run ./cmd/avsim sweep -o out

# The pictures of README and docs.
figures:
	go run ./cmd/avsim sweep -o out && cp out/throughput.png docs/
	go run ./cmd/avsim run pg16-vs-pg17 --figures out && cp out/variants.png docs/pg16-vs-pg17.png
	go run ./cmd/avsim validate -o out && cp out/validation.png out/residuals.png docs/

# Pictures of a report and of the page of serve, to be looked at.
shots: ; mkdir -p out/shots && go test ./cmd -count=1 -run Browser -shots $(CURDIR)/out/shots

validate: ; go run ./cmd/avsim validate

# A sweep as an array job of Slurm, killed and requeued. Needs root; takes three minutes.
slurm: ; scripts/test-slurm.sh

ablation: ; go run ./scripts/ablation

# Against a PostgreSQL server of the machine's packages.
server: ; scripts/pgtemp go test ./workload/pgexport ./scheduler/advise -count=1 -v -run Server

ci: ; .ci/run
