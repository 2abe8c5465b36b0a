package tflang

import (
	"fmt"
	"math/big"
	"net"
	"strings"

	"github.com/apparentlymart/go-cidr/cidr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/gocty"
)

// maxNewBits is how far one subnet may extend its prefix, whatever the
// machine: subnet numbers have 32 bits.
const maxNewBits = 32

func networkFunctions() map[string]function.Function {
	return map[string]function.Function{
		"cidrcontains": cidrContainsFunc(),
		"cidrhost":     cidrHostFunc(),
		"cidrnetmask":  textFunc("prefix", netmask),
		"cidrsubnet":   cidrSubnetFunc(),
		"cidrsubnets":  cidrSubnetsFunc(),
	}
}

// parsePrefix reads an address prefix. Like Terraform, and unlike Go since
// 1.17, it takes an IPv4 part with leading zeros as decimal.
func parsePrefix(s string) (*net.IPNet, error) {
	address, bits, _ := strings.Cut(s, "/")
	_, network, err := net.ParseCIDR(decimalParts(address) + "/" + bits)
	if err != nil {
		return nil, fmt.Errorf("invalid CIDR expression: invalid CIDR address: %s", s)
	}
	return network, nil
}

func parseAddress(s string) net.IP { return net.ParseIP(decimalParts(s)) }

func decimalParts(address string) string {
	head, last := "", address
	if i := strings.LastIndexByte(address, ':'); i >= 0 {
		head, last = address[:i+1], address[i+1:]
	}
	parts := strings.Split(last, ".")
	if len(parts) != 4 {
		return address
	}
	for i, part := range parts {
		if trimmed := strings.TrimLeft(part, "0"); trimmed != "" {
			parts[i] = trimmed
		} else if part != "" {
			parts[i] = "0"
		}
	}
	return head + strings.Join(parts, ".")
}

func netmask(prefix string) (string, error) {
	network, err := parsePrefix(prefix)
	if err != nil {
		return "", err
	}
	if network.IP.To4() == nil {
		return "", fmt.Errorf("IPv6 addresses cannot have a netmask: %s", prefix)
	}
	return net.IP(network.Mask).String(), nil
}

func cidrHostFunc() function.Function {
	params := []function.Parameter{param("prefix", cty.String), param("hostnum", cty.Number)}
	return scalarFunc(cty.String, params, func(args []cty.Value) (cty.Value, error) {
		var host *big.Int
		if err := gocty.FromCtyValue(args[1], &host); err != nil {
			return cty.UnknownVal(cty.String), function.NewArgError(1, err)
		}
		network, err := parsePrefix(args[0].AsString())
		if err != nil {
			return cty.UnknownVal(cty.String), function.NewArgError(0, err)
		}
		ip, err := cidr.HostBig(network, host)
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		return cty.StringVal(ip.String()), nil
	})
}

func cidrSubnetFunc() function.Function {
	params := []function.Parameter{param("prefix", cty.String), param("newbits", cty.Number), param("netnum", cty.Number)}
	return scalarFunc(cty.String, params, func(args []cty.Value) (cty.Value, error) {
		var newBits int
		var number *big.Int
		if err := gocty.FromCtyValue(args[1], &newBits); err != nil {
			return cty.UnknownVal(cty.String), function.NewArgError(1, err)
		}
		if err := gocty.FromCtyValue(args[2], &number); err != nil {
			return cty.UnknownVal(cty.String), function.NewArgError(2, err)
		}
		network, err := parsePrefix(args[0].AsString())
		if err != nil {
			return cty.UnknownVal(cty.String), function.NewArgError(0, err)
		}
		if newBits < 0 {
			return cty.UnknownVal(cty.String), function.NewArgErrorf(1, "must not be negative")
		}
		subnet, err := cidr.SubnetBig(network, newBits, number)
		if err != nil {
			return cty.UnknownVal(cty.String), err
		}
		return cty.StringVal(subnet.String()), nil
	})
}

func cidrSubnetsFunc() function.Function {
	newBits := param("newbits", cty.Number)
	return function.New(&function.Spec{
		Params:       []function.Parameter{param("prefix", cty.String)},
		VarParam:     &newBits,
		Type:         function.StaticReturnType(cty.List(cty.String)),
		RefineResult: notNull,
		Impl: func(args []cty.Value, ty cty.Type) (cty.Value, error) {
			network, err := parsePrefix(args[0].AsString())
			if err != nil {
				return cty.UnknownVal(ty), function.NewArgError(0, err)
			}
			if len(args) == 1 {
				return cty.ListValEmpty(cty.String), nil
			}
			return consecutiveSubnets(network, args[1:])
		},
	})
}

// consecutiveSubnets allots one subnet after another, each extending the
// prefix of network by its number of bits.
func consecutiveSubnets(network *net.IPNet, newBits []cty.Value) (cty.Value, error) {
	start, size := network.Mask.Size()
	var current *net.IPNet
	out := make([]cty.Value, len(newBits))
	for i, arg := range newBits {
		var bits int
		if err := gocty.FromCtyValue(arg, &bits); err != nil {
			return cty.NilVal, function.NewArgError(i+1, err)
		}
		switch {
		case bits < 1:
			return cty.NilVal, function.NewArgErrorf(i+1, "must extend prefix by at least one bit")
		case bits > maxNewBits:
			return cty.NilVal, function.NewArgErrorf(i+1, "may not extend prefix by more than %d bits", maxNewBits)
		case start+bits > size:
			return cty.NilVal, function.NewArgErrorf(i+1, "would extend prefix to %d bits, of %d that an address has", start+bits, size)
		}
		if current == nil {
			current, _ = cidr.PreviousSubnet(network, start+bits)
		}
		next, rollover := cidr.NextSubnet(current, start+bits)
		if rollover || !network.Contains(next.IP) {
			return cty.NilVal, function.NewArgErrorf(i+1, "not enough remaining address space for a subnet with a prefix of %d bits after %s", start+bits, current)
		}
		current, out[i] = next, cty.StringVal(next.String())
	}
	return cty.ListVal(out), nil
}

// cidrContainsFunc tells whether a prefix contains an address or a prefix of
// the same family.
func cidrContainsFunc() function.Function {
	params := []function.Parameter{param("containing_prefix", cty.String), param("contained_ip_or_prefix", cty.String)}
	return scalarFunc(cty.Bool, params, func(args []cty.Value) (cty.Value, error) {
		outer, err := parsePrefix(args[0].AsString())
		if err != nil {
			return cty.UnknownVal(cty.Bool), function.NewArgError(0, err)
		}
		first, last := parseAddress(args[1].AsString()), net.IP(nil)
		if first == nil {
			inner, err := parsePrefix(args[1].AsString())
			if err != nil {
				return cty.UnknownVal(cty.Bool), function.NewArgErrorf(1, "invalid IP address or prefix: %s", args[1].AsString())
			}
			first, last = cidr.AddressRange(inner)
		}
		if (first.To4() == nil) != (outer.IP.To4() == nil) {
			return cty.UnknownVal(cty.Bool), fmt.Errorf("address family mismatch: %s vs. %s", args[0].AsString(), args[1].AsString())
		}
		return cty.BoolVal(outer.Contains(first) && (last == nil || outer.Contains(last))), nil
	})
}
