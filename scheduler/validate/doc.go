// Package validate holds the model against recorded runs of real PostgreSQL:
// it simulates each recorded point as the recording was made and tells by how
// much the model is off.
package validate
