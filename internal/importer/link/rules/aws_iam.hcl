# AWS Identity and Access Management. Users, groups and roles go by name in
# attachments and memberships, by ARN in policies.

targets {
  bucket_or_object = [aws_s3_bucket.arn, "${aws_s3_bucket.arn}/${any}"]

  # What statements grant access to, most often.
  grantable = [
    aws_s3_bucket.arn, "${aws_s3_bucket.arn}/${any}",
    aws_iam_role.arn,
    aws_kms_key.arn,
    aws_sqs_queue.arn,
    aws_sns_topic.arn,
    aws_dynamodb_table.arn, "${aws_dynamodb_table.arn}/${any}",
    aws_lambda_function.arn, "${aws_lambda_function.arn}:${any}",
    aws_secretsmanager_secret.arn,
    aws_ssm_parameter.arn,
    aws_ecr_repository.arn,
    aws_cloudwatch_log_group.arn, "${aws_cloudwatch_log_group.arn}:${any}",
    aws_kinesis_stream.arn,
    aws_sfn_state_machine.arn,
  ]
}

aws_iam_role = {
  "managed_policy_arns[]" = aws_iam_policy.arn
  "permissions_boundary"  = aws_iam_policy.arn

  "assume_role_policy.Statement[].Principal.AWS"       = [aws_iam_role.arn, aws_iam_user.arn]
  "assume_role_policy.Statement[].Principal.Federated" = [aws_iam_openid_connect_provider.arn, aws_iam_saml_provider.arn]
  "inline_policy[].policy.Statement[].Resource"        = targets.grantable
}

aws_iam_policy = {
  "policy.Statement[].Resource"    = targets.grantable
  "policy.Statement[].NotResource" = targets.bucket_or_object
}

aws_iam_role_policy = {
  "role"                           = [aws_iam_role.id, aws_iam_role.name]
  "policy.Statement[].Resource"    = targets.grantable
  "policy.Statement[].NotResource" = targets.bucket_or_object
}

aws_iam_user_policy = {
  "user"                           = aws_iam_user.name
  "policy.Statement[].Resource"    = targets.grantable
  "policy.Statement[].NotResource" = targets.bucket_or_object
}

aws_iam_group_policy = {
  "group"                          = aws_iam_group.name
  "policy.Statement[].Resource"    = targets.grantable
  "policy.Statement[].NotResource" = targets.bucket_or_object
}

aws_iam_policy_attachment = {
  "policy_arn" = aws_iam_policy.arn
  "roles[]"    = aws_iam_role.name
  "users[]"    = aws_iam_user.name
  "groups[]"   = aws_iam_group.name
}

aws_iam_role_policy_attachment = {
  "role"       = aws_iam_role.name
  "policy_arn" = aws_iam_policy.arn
}

aws_iam_role_policy_attachments_exclusive = {
  "role_name"     = aws_iam_role.name
  "policy_arns[]" = aws_iam_policy.arn
}

aws_iam_role_policies_exclusive = {
  "role_name"      = aws_iam_role.name
  "policy_names[]" = aws_iam_role_policy.name
}

aws_iam_user = {
  "permissions_boundary" = aws_iam_policy.arn
}

aws_iam_user_policy_attachment = {
  "user"       = aws_iam_user.name
  "policy_arn" = aws_iam_policy.arn
}

aws_iam_user_policy_attachments_exclusive = {
  "user_name"     = aws_iam_user.name
  "policy_arns[]" = aws_iam_policy.arn
}

aws_iam_user_policies_exclusive = {
  "user_name"      = aws_iam_user.name
  "policy_names[]" = aws_iam_user_policy.name
}

aws_iam_group_policy_attachment = {
  "group"      = aws_iam_group.name
  "policy_arn" = aws_iam_policy.arn
}

aws_iam_group_policy_attachments_exclusive = {
  "group_name"    = aws_iam_group.name
  "policy_arns[]" = aws_iam_policy.arn
}

aws_iam_group_policies_exclusive = {
  "group_name"     = aws_iam_group.name
  "policy_names[]" = aws_iam_group_policy.name
}

aws_iam_group_membership = {
  "group"   = aws_iam_group.name
  "users[]" = aws_iam_user.name
}

aws_iam_user_group_membership = {
  "user"     = aws_iam_user.name
  "groups[]" = aws_iam_group.name
}

aws_iam_instance_profile = {
  "role" = aws_iam_role.name
}

aws_iam_access_key = {
  "user" = aws_iam_user.name
}

aws_iam_user_login_profile = {
  "user" = aws_iam_user.name
}

aws_iam_user_ssh_key = {
  "username" = aws_iam_user.name
}

aws_iam_signing_certificate = {
  "user_name" = aws_iam_user.name
}

aws_iam_service_specific_credential = {
  "user_name" = aws_iam_user.name
}
