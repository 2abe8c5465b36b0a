package estate

import (
	"encoding/json"
	"fmt"
)

func (g *gardener) role(i int) Object {
	id := name(i, len(apps)*len(stages), app(i), stage(i/len(apps)), "role")
	obj := Object{
		"name": id, "tags": g.tags(i, id),
		"assume_policy": document(Object{"Version": "2024-01-01", "Statement": []any{Object{
			"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": Object{"Service": "compute.estate.test"},
		}}}),
		"policies": Object{"read-data": Object{
			"document": document(Object{"Version": "2024-01-01", "Statement": []any{Object{
				"Effect": "Allow", "Action": []any{"bucket:Get*", "bucket:List*"},
				"Resource": []any{bucketARN(bucketName(i)), bucketARN(bucketName(i)) + "/*"},
			}}}),
		}},
	}
	if i%3 == 1 {
		obj["path"] = "/service/"
		obj["description"] = "Used by " + app(i) + "'s jobs"
		obj["max_session"] = num(7200)
	}
	if i > 0 && i%2 == 0 {
		obj["trusted_role_arns"] = []any{g.pick("roles", i-1)["arn"]}
	}
	return obj
}

func bucketName(i int) string {
	return name(i, len(apps)*len(stages), "estate", app(i), stage(i/len(apps)))
}

func (g *gardener) bucket(i int) Object {
	id := bucketName(i)
	obj := Object{"name": id, "tags": g.tags(i, id)}
	if i%2 == 0 {
		obj["versioning"] = Object{"enabled": true}
		obj["policy"] = document(Object{"Version": "2024-01-01", "Statement": []any{Object{
			"Sid": "ReadersOnly", "Effect": "Allow", "Action": "bucket:GetObject",
			"Principal": Object{"Role": g.pick("roles", i)["arn"]}, "Resource": bucketARN(id) + "/*",
		}}})
	}
	if i > 0 {
		obj["logging"] = []any{Object{"target_bucket": g.pick("buckets", 0)["id"], "prefix": "logs/" + id + "/"}}
	}
	if i%4 == 3 {
		obj["replication"] = Object{"role": g.pick("roles", i)["arn"], "rules": []any{Object{
			"id": "everything", "priority": num(1),
			"destination": Object{"bucket": g.pick("buckets", i-1)["arn"], "storage_class": "COLD"},
		}}}
	}
	if i%3 == 2 {
		obj["lifecycle_rules"] = []any{
			Object{"id": "expire-tmp", "prefix": "tmp/", "expire_days": num(7)},
			Object{"id": "keep", "enabled": false, "tags": Object{"keep": "yes"}},
		}
		obj["acl"] = "public-read"
	}
	return obj
}

func (g *gardener) bucketObject(i int) Object {
	return Object{
		"bucket": g.pick("buckets", 0)["id"], "key": fmt.Sprintf("notes/%04d.txt", i+1),
		"content": fmt.Sprintf("note %d\nwith a second line\n", i+1),
	}
}

// document is a policy as people paste it: indented.
func document(value any) string {
	text, _ := json.MarshalIndent(value, "", "    ") // made of strings alone
	return string(text)
}
