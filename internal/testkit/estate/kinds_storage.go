package estate

import (
	"fmt"
	"hash/crc32"
)

func buckets() *Kind {
	return &Kind{
		Name: "buckets", Key: []string{"name"},
		Fields: common(
			text("name").required().immutable(),
			text("region").or("eu-north-1").immutable(),
			text("acl").or("private"),
			policy("policy"),
			nested("versioning",
				flag("enabled", false),
				flag("mfa_delete", false),
			),
			nestedIn("logging", List,
				text("target_bucket").required().ref("buckets", "id"),
				text("prefix"),
			),
			nested("replication", replicationFields()...),
			nestedIn("lifecycle_rules", List,
				text("id").required(),
				flag("enabled", true),
				text("prefix"),
				number("expire_days"),
				texts("tags", Map),
			),
			texts("tags", Map),
			text("domain_name").computed(),
		),
		complete: func(s *Store, o Object) {
			o["arn"] = bucketARN(str(o["name"]))
			o["domain_name"] = str(o["name"]) + ".buckets.estate.test"
		},
	}
}

func replicationFields() []Field {
	return []Field{
		text("role").required().ref("roles", "arn"),
		nestedIn("rules", List,
			text("id").required(),
			number("priority"),
			text("status").or("Enabled"),
			nested("destination",
				text("bucket").required().ref("buckets", "arn"),
				text("storage_class"),
			).required(),
		),
	}
}

func bucketObjects() *Kind {
	return &Kind{
		Name: "bucket_objects", Key: []string{"bucket", "key"},
		Fields: common(
			text("bucket").required().immutable().ref("buckets", "id"),
			text("key").required().immutable(),
			text("content").required(),
			text("content_type").or("text/plain"),
			text("etag").computed(),
		),
		derive:   func(o Object) { o["etag"] = fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(str(o["content"])))) },
		complete: func(_ *Store, o Object) { o["arn"] = bucketARN(str(o["id"])) },
	}
}

// ledgers are sealed: the API lists them and refuses to read any.
func ledgers() *Kind {
	return &Kind{
		Name: "ledgers", Prefix: "led", Key: []string{"name"}, unreadable: true,
		Fields: common(
			text("name").required().immutable(),
			text("bucket").ref("buckets", "id"),
		),
		complete: func(s *Store, o Object) { o["arn"] = s.arn("ledger", "ledger/"+str(o["name"])) },
	}
}
