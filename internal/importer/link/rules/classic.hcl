# The synthetic estate that the tests and the demo import, over its provider
# of protocol 5, where single objects are blocks in a list.

classic_subnet = {
  "network_id" = classic_network.id
}

classic_security_group = {
  "network_id"                = classic_network.id
  "ingress[].source_group_id" = classic_security_group.id
  "egress[].source_group_id"  = classic_security_group.id
}

classic_role = {
  "trusted_role_arns[]" = classic_role.arn

  "assume_policy.Statement[].Principal.Role" = classic_role.arn
  "inline_policy[].document.Statement[].Resource" = [
    classic_bucket.arn, classic_role.arn, classic_instance.arn, classic_bucket_object.arn, "${classic_bucket.arn}/${any}",
  ]
}

classic_bucket = {
  "logging[].target_bucket"                    = classic_bucket.id
  "replication[].role"                         = classic_role.arn
  "replication[].rules[].destination[].bucket" = classic_bucket.arn

  "policy.Statement[].Principal.Role" = classic_role.arn
  "policy.Statement[].Resource"       = [classic_bucket.arn, "${classic_bucket.arn}/${any}"]
}

classic_bucket_object = {
  "bucket" = classic_bucket.id
}

classic_instance = {
  "subnet_id"            = classic_subnet.id
  "security_group_ids[]" = classic_security_group.id
  "role_arn"             = classic_role.arn
  "mount[].bucket"       = classic_bucket.name
}

classic_dns_record = {
  "values[]"          = [classic_instance.private_ip, classic_instance.public_ip]
  "alias[].target_id" = classic_instance.id
}

classic_db_user = {
  "server_id"   = classic_instance.id
  "member_of[]" = classic_db_user.name
}

classic_ledger = {
  "bucket" = classic_bucket.id
}
