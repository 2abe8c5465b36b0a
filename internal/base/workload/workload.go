// Package workload tells the system what kind of work this program does.
package workload
