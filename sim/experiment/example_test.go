package experiment_test

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"avsim/sim"
	"avsim/sim/experiment"
)

// The mean of n uniform numbers, with a confidence interval over replications.
func Example() {
	grid := experiment.Grid{{Name: "n", Values: []string{"10", "1000"}}}
	plan := experiment.Plan[experiment.Point]{Points: experiment.Points(grid.Points()...), Replications: 5}

	table := experiment.Table{Columns: []string{"n", "mean", "lo", "hi"}}
	err := experiment.Run(context.Background(), plan,
		func(_ context.Context, p experiment.Point, replication int) (float64, error) {
			text, _ := p.Value("n")
			n, err := strconv.Atoi(text)
			if err != nil {
				return 0, err
			}
			random := sim.NewStreams(1, replication).Named("uniform")
			var tally sim.Tally
			for range n {
				tally.Add(random.Float64())
			}
			return tally.Mean(), nil
		},
		func(_ int, p experiment.Point, means []float64, err error) error {
			if err != nil {
				return nil // Run returns it at the end
			}
			n, _ := p.Value("n")
			i := sim.StudentInterval(means, 0.95)
			table.AppendRow(n, fmt.Sprintf("%.2f", i.Mean), fmt.Sprintf("%.2f", i.Lo), fmt.Sprintf("%.2f", i.Hi))
			return nil
		})
	if err != nil {
		fmt.Println(err)
	}
	table.WriteCSV(os.Stdout)
	// Output:
	// n,mean,lo,hi
	// 10,0.50,0.41,0.59
	// 1000,0.50,0.49,0.51
}
