// Package twin reads recorded runs of real PostgreSQL under a known load: the state
// before, the true workload, the settings, and every automatic vacuum and analyze.
// A run is a folder of CSV files, each as it is or compressed with gzip.
package twin
