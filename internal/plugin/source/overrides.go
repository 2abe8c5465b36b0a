package source

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const overridesVariable = "PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES"

// override sends the servers that match somewhere else.
type override struct {
	match *regexp.Regexp
	// server may hold $1 and ${name} for what the expression's groups match.
	server string
}

// parseOverrides reads `regexp=URL,regexp=URL`.
func parseOverrides(text string) ([]override, error) {
	if text == "" {
		return nil, nil
	}
	var out []override
	for pair := range strings.SplitSeq(text, ",") {
		expression, server, ok := strings.Cut(pair, "=")
		if !ok || expression == "" || server == "" {
			return nil, fmt.Errorf("%q is not of the form regexp=URL", pair)
		}
		match, err := regexp.Compile(expression)
		if err != nil {
			return nil, err
		}
		out = append(out, override{match, server})
	}
	return out, nil
}

// redirect returns the server of the first override that matches address.
func redirect(overrides []override, address string) (server string, ok bool) {
	for _, o := range overrides {
		if groups := o.match.FindStringSubmatch(address); groups != nil {
			return o.fill(groups), true
		}
	}
	return "", false
}

// fill puts groups into the server. Higher numbers go first, as $1 begins $10.
func (o override) fill(groups []string) string {
	server := o.server
	for i := len(groups) - 1; i >= 0; i-- {
		if name := o.match.SubexpNames()[i]; name != "" {
			server = strings.ReplaceAll(server, "${"+name+"}", groups[i])
		}
		server = strings.ReplaceAll(server, "$"+strconv.Itoa(i), groups[i])
	}
	return server
}
