package estate

import (
	"fmt"
	"hash/fnv"
	"net/netip"
	"strings"
	"time"
)

// account is the made-up account in every ARN.
const account = "100000000042"

// epoch is when the first object of every estate was made; each call that
// makes one moves the clock by a minute, so that dumps repeat exactly.
var epoch = time.Date(2024, time.March, 1, 8, 0, 0, 0, time.UTC)

// idFor draws an id, or joins the key fields for kinds that people name.
func (s *Store) idFor(k *Kind, obj Object) string {
	if k.Prefix == "" {
		return k.key(obj)
	}
	return s.nextID(k.Prefix+"-", k.Name)
}

// nextID draws an id that looks random and is not: a hash of the seed, the
// kind and a counter. It runs under the lock.
func (s *Store) nextID(prefix, kind string) string {
	for {
		s.counters[kind]++
		h := fnv.New64a()
		fmt.Fprintf(h, "%d/%s/%d", s.seed, kind, s.counters[kind])
		id := fmt.Sprintf("%s%010x", prefix, h.Sum64()>>24)
		if !s.issued[id] {
			s.issued[id] = true
			return id
		}
	}
}

func (s *Store) now() string {
	s.clock++
	return epoch.Add(time.Duration(s.clock) * time.Minute).Format(time.RFC3339)
}

func (s *Store) arn(service, resource string) string {
	return fmt.Sprintf("arn:estate:%s:eu-north-1:%s:%s", service, account, resource)
}

func bucketARN(name string) string { return "arn:estate:bucket:::" + name }

// key is what people call an object: its key fields, joined with "/".
func (k *Kind) key(obj Object) string {
	parts := make([]string, len(k.Key))
	for i, name := range k.Key {
		parts[i] = str(obj[name])
	}
	return strings.Join(parts, "/")
}

// address gives an instance its addresses: the next free one of its subnet
// where the client asked for none, and a public one in public subnets.
func (s *Store) address(obj Object) {
	subnetID := str(obj["subnet_id"])
	subnet := s.shelves["subnets"].objects[subnetID]
	s.leases[subnetID]++
	host := s.leases[subnetID] + 9
	if str(obj["private_ip"]) == "" {
		obj["private_ip"] = hostIP(str(subnet["cidr"]), host)
	}
	if subnet["public"] == true {
		s.counters["public_ip"]++
		obj["public_ip"] = hostIP("198.18.0.0/15", s.counters["public_ip"])
	}
}

// hostIP is address number n of a prefix, or "" where the prefix is not one.
func hostIP(cidr string, n uint64) string {
	prefix, err := netip.ParsePrefix(cidr)
	if err != nil || !prefix.Addr().Is4() {
		return ""
	}
	b := prefix.Masked().Addr().As4()
	sum := (uint64(b[0])<<24 | uint64(b[1])<<16 | uint64(b[2])<<8 | uint64(b[3])) + n
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}).String()
}
