package expect

import "strings"

// CutTable cuts a table's name, database.table, from the front of a text. One with blanks
// or commas stands in double quotes, in which two stand for one, as in SQL. It returns
// false where the text begins with no name of a table.
func CutTable(text string) (table, rest string, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, `"`) {
		word, rest, _ := strings.Cut(text, " ")
		if !strings.Contains(word, ".") || strings.ContainsAny(word, "<>=") { // 0.3 of a<0.3
			return "", text, false
		}
		return word, strings.TrimSpace(rest), true
	}
	var name strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '"':
			name.WriteByte(text[i])
		case i+1 < len(text) && text[i+1] == '"':
			name.WriteByte('"')
			i++
		default:
			return name.String(), strings.TrimSpace(text[i+1:]), true
		}
	}
	return "", text, false
}

// Quoted is a table's name as CutTable reads it.
func Quoted(table string) string {
	if !strings.ContainsAny(table, " ,\"\t\n<>=") {
		return table
	}
	return `"` + strings.ReplaceAll(table, `"`, `""`) + `"`
}
