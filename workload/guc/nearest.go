package guc

// Nearest returns the candidate that a misspelt word most probably means: the
// one at the smallest Levenshtein distance, the first of equals, or none when
// more than a third of the word's letters (at least two) would have to change.
func Nearest(word string, candidates []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := levenshtein(word, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// levenshtein counts the insertions, deletions and substitutions of bytes that
// turn a into b.
func levenshtein(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
