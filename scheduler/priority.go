package scheduler

import (
	"fmt"
	"strconv"
)

// tablePriority is the storage parameter that a patch of 2018 proposed, 0 to 10. No
// release has it; the strategy priority goes by it.
const tablePriority = "autovacuum_table_priority"

func parsePriority(text string) (float64, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 10 {
		return 0, fmt.Errorf("%q is not a priority from 0 to 10", text)
	}
	return float64(n), nil
}
