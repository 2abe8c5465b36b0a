package estate

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStoreRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		do      func(*Store, Object) error
		status  int
		message string
	}{
		"an unknown field": {
			create("networks", Object{"name": "n", "cidr": "10.0.0.0/8", "colour": "red"}),
			http.StatusBadRequest, "colour: there is no such field",
		},
		"a missing field":  {create("networks", Object{"name": "n"}), http.StatusBadRequest, "cidr: field is required"},
		"a computed field": {create("networks", Object{"id": "n"}), http.StatusBadRequest, "id: field is set by the service"},
		"a wrong type": {
			create("networks", Object{"name": 1, "cidr": "x"}), http.StatusBadRequest, "name: must be a string",
		},
		"a nested wrong type": {
			create("networks", Object{"name": "n", "cidr": "x", "dns": Object{"servers": []any{true}}}),
			http.StatusBadRequest, "dns.servers[]: must be a string",
		},
		"a policy that is no JSON": {
			create("buckets", Object{"name": "b", "policy": "{} {}"}),
			http.StatusBadRequest, "policy: is not valid JSON: InvalidRequest: text after the document",
		},
		"a dangling reference": {
			create("subnets", Object{"name": "s", "network_id": "net-x", "cidr": "10.0.0.0/24", "zone": "z"}),
			http.StatusBadRequest, `network_id: there is no networks with id "net-x"`,
		},
		"a name that is taken": {
			create("networks", Object{"name": "main", "cidr": "10.0.0.0/8"}),
			http.StatusConflict, `networks "main" exists already`,
		},
		"two exclusive fields": {
			create("dns_records", Object{"zone": "z", "name": "n", "type": "A"}),
			http.StatusBadRequest, "exactly one of values and alias must be set",
		},
		"an immutable change": {
			func(s *Store, network Object) error {
				_, err := s.Update("networks", str(network["id"]), Object{"name": "main", "cidr": "10.9.0.0/16"})
				return err
			},
			http.StatusBadRequest, "cidr: cannot be changed from 10.0.0.0/16 to 10.9.0.0/16",
		},
		"deleting what is in use": {
			func(s *Store, network Object) error { return s.Delete("networks", str(network["id"])) },
			http.StatusConflict, `networks "net-9200d27c02" is in use by 1 other objects`,
		},
		"reading what is not there": {
			func(s *Store, _ Object) error { _, err := s.Get("networks", "net-0"); return err },
			http.StatusNotFound, `there is no networks "net-0"`,
		},
		"an unknown kind": {create("moons", Object{}), http.StatusNotFound, `there are no "moons" here`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := NewStore(1)
			network := mustCreate(t, s, "networks", Object{"name": "main", "cidr": "10.0.0.0/16"})
			mustCreate(t, s, "subnets", Object{"name": "a", "network_id": network["id"], "cidr": "10.0.1.0/24", "zone": "z"})
			err := test.do(s, network)
			var refusal *Error
			if !errors.As(err, &refusal) {
				t.Fatalf("got %v", err)
			}
			if diff := cmp.Diff([]any{test.status, test.message}, []any{refusal.Status, refusal.Message}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func create(kind string, obj Object) func(*Store, Object) error {
	return func(s *Store, _ Object) error { _, err := s.Create(kind, obj); return err }
}

func mustCreate(t *testing.T, s *Store, kind string, in Object) Object {
	t.Helper()
	obj, err := s.Create(kind, in)
	if err != nil {
		t.Fatalf("create %s: %v", kind, err)
	}
	return obj
}

func TestStoreCompletes(t *testing.T) {
	t.Parallel()
	s := NewStore(1)
	network := mustCreate(t, s, "networks", Object{"name": "n", "cidr": "10.0.0.0/16"})
	subnet := mustCreate(t, s, "subnets", Object{
		"name": "a", "network_id": network["id"], "cidr": "10.0.1.0/24", "zone": "z", "public": true,
	})
	got := mustCreate(t, s, "instances", Object{
		"name": "vm", "image": "debian-13", "subnet_id": subnet["id"],
		"disks": Object{"root": Object{"size_gb": num(20)}, "data": Object{"size_gb": num(5), "encrypted": false}},
	})
	want := Object{
		"id": got["id"], "name": "vm", "image": "debian-13", "size": "small", "subnet_id": subnet["id"],
		"arn": "arn:estate:compute:eu-north-1:100000000042:instance/vm", "created_at": "2024-03-01T08:03:00Z",
		"private_ip": "10.0.1.10", "public_ip": "198.18.0.1", "monitoring": false, "state": "running",
		"disks": Object{
			"data": Object{"size_gb": num(5), "type": "ssd", "encrypted": false, "device": "/dev/disk0"},
			"root": Object{"size_gb": num(20), "type": "ssd", "encrypted": true, "device": "/dev/disk1"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSecretsStayInside checks that no answer holds a secret, that an update
// without one keeps it, and that only a dump that asks shows it.
func TestSecretsStayInside(t *testing.T) {
	t.Parallel()
	s := NewStore(1)
	user := mustCreate(t, s, "db_users", Object{"name": "u", "password": "p-1"})
	if _, leaked := user["password"]; leaked {
		t.Error("create answered the password")
	}
	if _, err := s.Update("db_users", "u", Object{"name": "u", "login": false}); err != nil {
		t.Fatal(err)
	}
	if got, want := s.Dump(DumpOptions{Secrets: true}), `"password": "p-1"`; !contains(got, want) {
		t.Errorf("the dump with secrets lacks %s:\n%s", want, got)
	}
	if contains(s.Dump(DumpOptions{}), "p-1") {
		t.Error("the plain dump shows the password")
	}
}

func TestSecurityGroupsMayReferToEachOther(t *testing.T) {
	t.Parallel()
	s := NewStore(1)
	if _, err := s.Seed(SeedOptions{Objects: 60}); err != nil {
		t.Fatal(err)
	}
	groups, _, err := s.Page("security_groups", nil, 0, 50)
	if err != nil {
		t.Fatal(err)
	}
	refers := func(from, to int) bool {
		for _, rule := range groups[from]["ingress"].([]any) {
			if rule.(Object)["source_group_id"] == groups[to]["id"] {
				return true
			}
		}
		return false
	}
	if !refers(0, 1) || !refers(1, 0) || !refers(2, 2) {
		t.Errorf("the seed's groups are not entangled: %v", groups[:3])
	}
	for _, group := range groups[:2] {
		if err := s.Delete("security_groups", str(group["id"])); err == nil {
			t.Errorf("%s is used by instances, and was deleted", group["name"])
		}
	}
}
