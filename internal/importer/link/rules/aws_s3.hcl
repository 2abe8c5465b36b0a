# Amazon S3. Buckets go by name (id) where a bucket is named, by ARN where
# access is granted or data is sent.

targets {
  bucket_or_object = [aws_s3_bucket.arn, "${aws_s3_bucket.arn}/${any}"]
  principal        = [aws_iam_role.arn, aws_iam_user.arn, aws_cloudfront_origin_access_identity.iam_arn]
  key              = [aws_kms_key.arn, aws_kms_key.key_id, aws_kms_alias.arn, aws_kms_alias.name]
}

aws_s3_bucket = {
  "logging[].target_bucket"                                                                                   = aws_s3_bucket.id
  "replication_configuration[].role"                                                                          = aws_iam_role.arn
  "replication_configuration[].rules[].destination[].bucket"                                                  = aws_s3_bucket.arn
  "replication_configuration[].rules[].destination[].replica_kms_key_id"                                      = aws_kms_key.arn
  "server_side_encryption_configuration[].rule[].apply_server_side_encryption_by_default[].kms_master_key_id" = targets.key

  "policy.Statement[].Resource"      = targets.bucket_or_object
  "policy.Statement[].NotResource"   = targets.bucket_or_object
  "policy.Statement[].Principal.AWS" = targets.principal
}

aws_s3_bucket_policy = {
  "bucket" = aws_s3_bucket.id

  "policy.Statement[].Resource"                   = targets.bucket_or_object
  "policy.Statement[].NotResource"                = targets.bucket_or_object
  "policy.Statement[].Principal.AWS"              = targets.principal
  "policy.Statement[].NotPrincipal.AWS"           = targets.principal
  "policy.Statement[].Condition[].aws:SourceArn"  = [aws_cloudfront_distribution.arn, aws_s3_bucket.arn, aws_cloudtrail.arn]
  "policy.Statement[].Condition[].AWS:SourceArn"  = aws_cloudfront_distribution.arn
  "policy.Statement[].Condition[].aws:SourceVpce" = aws_vpc_endpoint.id
  "policy.Statement[].Condition[].aws:SourceVpc"  = aws_vpc.id
}

aws_s3_bucket_accelerate_configuration = { "bucket" = aws_s3_bucket.id }

aws_s3_bucket_acl = { "bucket" = aws_s3_bucket.id }

aws_s3_bucket_analytics_configuration = {
  "bucket"                                                                                  = aws_s3_bucket.id
  "storage_class_analysis[].data_export[].destination[].s3_bucket_destination[].bucket_arn" = aws_s3_bucket.arn
}

aws_s3_bucket_cors_configuration = { "bucket" = aws_s3_bucket.id }

aws_s3_bucket_intelligent_tiering_configuration = { "bucket" = aws_s3_bucket.id }

aws_s3_bucket_inventory = {
  "bucket"                                               = aws_s3_bucket.id
  "destination[].bucket[].bucket_arn"                    = aws_s3_bucket.arn
  "destination[].bucket[].encryption[].sse_kms[].key_id" = aws_kms_key.arn
}

aws_s3_bucket_lifecycle_configuration = { "bucket" = aws_s3_bucket.id }

aws_s3_bucket_logging = {
  "bucket"        = aws_s3_bucket.id
  "target_bucket" = aws_s3_bucket.id
}

aws_s3_bucket_metric = {
  "bucket"                = aws_s3_bucket.id
  "filter[].access_point" = aws_s3_access_point.arn
}

aws_s3_bucket_notification = {
  "bucket"                                = aws_s3_bucket.id
  "lambda_function[].lambda_function_arn" = [aws_lambda_function.arn, aws_lambda_alias.arn, aws_lambda_function.qualified_arn]
  "queue[].queue_arn"                     = aws_sqs_queue.arn
  "topic[].topic_arn"                     = aws_sns_topic.arn
}

aws_s3_bucket_object = {
  "bucket"     = aws_s3_bucket.id
  "kms_key_id" = aws_kms_key.arn
}

aws_s3_bucket_object_lock_configuration = { "bucket" = aws_s3_bucket.id }

aws_s3_bucket_ownership_controls = { "bucket" = aws_s3_bucket.id }

aws_s3_bucket_public_access_block = { "bucket" = aws_s3_bucket.id }

aws_s3_bucket_replication_configuration = {
  "bucket"                                                             = aws_s3_bucket.id
  "role"                                                               = aws_iam_role.arn
  "rule[].destination[].bucket"                                        = aws_s3_bucket.arn
  "rule[].destination[].encryption_configuration[].replica_kms_key_id" = aws_kms_key.arn
}

aws_s3_bucket_request_payment_configuration = { "bucket" = aws_s3_bucket.id }

aws_s3_bucket_server_side_encryption_configuration = {
  "bucket"                                                             = aws_s3_bucket.id
  "rule[].apply_server_side_encryption_by_default[].kms_master_key_id" = targets.key
}

aws_s3_bucket_versioning = { "bucket" = aws_s3_bucket.id }

aws_s3_bucket_website_configuration = { "bucket" = aws_s3_bucket.id }

aws_s3_object = {
  "bucket"     = aws_s3_bucket.id
  "kms_key_id" = aws_kms_key.arn
}

aws_s3_object_copy = {
  "bucket"     = aws_s3_bucket.id
  "kms_key_id" = aws_kms_key.arn
  "source"     = "${aws_s3_bucket.id}/${any}"
}

aws_s3_access_point = {
  "bucket"                           = [aws_s3_bucket.id, aws_s3_bucket.arn]
  "vpc_configuration[].vpc_id"       = aws_vpc.id
  "policy.Statement[].Principal.AWS" = targets.principal
}

aws_s3control_access_point_policy = {
  "access_point_arn"                 = aws_s3_access_point.arn
  "policy.Statement[].Principal.AWS" = targets.principal
  "policy.Statement[].Resource"      = [aws_s3_access_point.arn, "${aws_s3_access_point.arn}/${any}"]
}
