package plots_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"avsim/plots"
	"avsim/sim/experiment"
)

// readSweep reads the result of a sweep.
func readSweep() *experiment.Table { return readTable("testdata/sweep.csv") }

func readTable(path string) *experiment.Table {
	file, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	table, err := experiment.ReadCSV(file, file.Name())
	if err != nil {
		log.Fatal(err)
	}
	return table
}

// A figure's title is what it finds; its data is saved beside it.
func ExampleThroughput() {
	folder, err := os.MkdirTemp("", "figures")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)

	figure, err := plots.Throughput(readSweep())
	if err != nil {
		log.Fatal(err)
	}
	if err := figure.Save(filepath.Join(folder, "throughput.png")); err != nil {
		log.Fatal(err)
	}

	fmt.Println(figure.Title())
	files, _ := os.ReadDir(folder)
	for _, file := range files {
		fmt.Println(file.Name())
	}
	// Output:
	// leapfrog runs 180 times as many automatic vacuums a second as original at 100,000 tables and 30 workers; claim-release 11 times
	// throughput.csv
	// throughput.png
}

func ExampleWorkers() {
	figure, err := plots.Workers(readSweep().Where("strategy", "claim-release"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(figure.Title())
	// Output:
	// claim-release is fastest with 3 workers: 185 vacuums a second, 62.7 with 30 (10,000 tables)
}

func ExampleTimeShare() {
	figure, err := plots.TimeShare(readSweep(), 10000)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(figure.Title())
	// Output:
	// original's workers spend 96 % of their time waiting for or holding the schedule lock (10,000 tables, 30 workers)
}

// Any column can be drawn against any other.
func ExampleLines() {
	figure, err := plots.Lines(readSweep(), plots.Spec{
		X: "workers", Y: "schedule_lock_share", Series: "strategy", Panel: "tables",
		LogX:      true,
		YLabel:    "share of time spent waiting for the schedule lock",
		PanelNoun: "table",
		MaxPanels: 2,
		Title:     "Only original's workers wait for the schedule lock",
	})
	if err != nil {
		log.Fatal(err)
	}
	data := figure.Data()
	fmt.Println(len(data.Rows), "points:", data.Columns[:5])
	// Output:
	// 24 points: [figure tables strategy workers schedule_lock_share]
}

// The rates of real PostgreSQL are recorded; the predictions are made up.
func ExampleValidation() {
	figure, err := plots.Validation(readTable("testdata/validation.csv"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(figure.Title())
	// Output:
	// The model is within 10 % of real PostgreSQL in the median; 90 % of 52 points are within 1.26 times
}

func ExampleResiduals() {
	figure, err := plots.Residuals(readTable("testdata/validation.csv").Where("strategy", "claim-release"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(figure.Title())
	// Output:
	// The model is furthest off with 10 workers: 25 % too fast in the median of 8 points
}
