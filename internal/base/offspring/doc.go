// Package offspring has the system end the processes that this program starts
// when it dies without having done so, and with what they start themselves.
package offspring
