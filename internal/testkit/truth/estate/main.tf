# A small company's estate: two stages of a shop, written by hand.

terraform {
  required_providers {
    estate = { source = "registry.opentofu.org/formation-iac/estate" }
  }
}

provider "estate" {}

variable "db_admin_password" {
  type      = string
  sensitive = true
}

variable "db_shop_password" {
  type      = string
  sensitive = true
}

variable "shop_api_token" {
  type      = string
  sensitive = true
}

# Networks

resource "estate_network" "prod" {
  name        = "prod"
  cidr        = "10.10.0.0/16"
  description = "Everything that customers see"
  mtu         = 9000
  dns = {
    servers        = ["10.10.0.2", "10.10.0.3"]
    search_domains = ["prod.shop.test"]
    forwarding     = true
  }
  tags = {
    Name  = "prod"
    stage = "prod"
    team  = "Größenwahn GmbH"
  }
}

resource "estate_network" "staging" {
  name       = "staging"
  cidr       = "10.20.0.0/16"
  enable_dns = false
}

resource "estate_subnet" "prod_front" {
  name       = "prod-front"
  network_id = estate_network.prod.id
  cidr       = "10.10.1.0/24"
  zone       = "eu-north-1a"
  public     = true
  tags       = { tier = "front" }
}

resource "estate_subnet" "prod_back" {
  name       = "prod-back"
  network_id = estate_network.prod.id
  cidr       = "10.10.2.0/24"
  zone       = "eu-north-1b"
  gateway_ip = "10.10.2.254"
  routes = [
    { destination = "0.0.0.0/0", next_hop = "10.10.2.254" },
    { destination = "192.168.0.0/16", next_hop = "10.10.2.253", metric = 50 },
  ]
}

resource "estate_subnet" "staging" {
  name       = "staging"
  network_id = estate_network.staging.id
  cidr       = "10.20.1.0/24"
  zone       = "eu-north-1a"
  public     = false
}

# Who may talk to whom

resource "estate_security_group" "front" {
  name        = "front"
  network_id  = estate_network.prod.id
  description = "Web servers"
  ingress {
    protocol    = "tcp"
    from_port   = 443
    to_port     = 443
    cidrs       = ["0.0.0.0/0", "::/0"]
    description = "The \"public\" door"
  }
  egress {
    protocol  = "any"
    from_port = 0
    to_port   = 0
    cidrs     = ["0.0.0.0/0"]
  }
  tags = { note = "keep $${this} and %%{that}" }
}

resource "estate_security_group" "back" {
  name       = "back"
  network_id = estate_network.prod.id
  ingress {
    protocol        = "tcp"
    from_port       = 5432
    to_port         = 5432
    source_group_id = estate_security_group.front.id
    description     = "database"
  }
  ingress {
    protocol        = "tcp"
    from_port       = 9100
    to_port         = 9100
    source_group_id = estate_security_group.monitoring.id
  }
}

resource "estate_security_group" "monitoring" {
  name       = "monitoring"
  network_id = estate_network.prod.id
  egress {
    protocol        = "tcp"
    from_port       = 9090
    to_port         = 9090
    source_group_id = estate_security_group.front.id
  }
}

resource "estate_security_group" "staging" {
  name       = "staging-all"
  network_id = estate_network.staging.id
}

# Roles

resource "estate_role" "shop" {
  name        = "shop"
  description = "What the shop may do"
  assume_policy = jsonencode({
    Version = "2024-01-01"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "compute.estate.test" }
    }]
  })
  policies = {
    read-media = {
      document = jsonencode({
        Version   = "2024-01-01"
        Statement = [{ Effect = "Allow", Action = ["bucket:Get*"], Resource = ["arn:estate:bucket:::shop-media/*"] }]
      })
      description = "Pictures and films"
    }
    write-logs = {
      document = jsonencode({ Version = "2024-01-01", Statement = [{ Effect = "Allow", Action = "bucket:Put*" }] })
    }
  }
  max_session = 7200
  tags        = { team = "shop" }
}

resource "estate_role" "replicator" {
  name              = "replicator"
  path              = "/service/"
  assume_policy     = jsonencode({ Version = "2024-01-01", Statement = [] })
  trusted_role_arns = [estate_role.shop.arn]
}

resource "estate_role" "operator" {
  name              = "operator"
  assume_policy     = jsonencode({ Version = "2024-01-01", Statement = [] })
  trusted_role_arns = [estate_role.shop.arn, estate_role.replicator.arn]
}

# Buckets

resource "estate_bucket" "logs" {
  name          = "shop-logs"
  force_destroy = true
  lifecycle_rules = [
    { id = "expire", prefix = "tmp/", expire_days = 30 },
    { id = "keep-audit", enabled = false, prefix = "audit/", tags = { keep = "yes" } },
  ]
}

resource "estate_bucket" "media" {
  name = "shop-media"
  acl  = "public-read"
  policy = jsonencode({
    Version = "2024-01-01"
    Statement = [{
      Sid       = "Readers"
      Effect    = "Allow"
      Action    = "bucket:GetObject"
      Principal = "*"
    }]
  })
  versioning = { enabled = true }
  logging {
    target_bucket = estate_bucket.logs.id
    prefix        = "media/"
  }
  replication {
    role = estate_role.replicator.arn
    rules {
      id       = "everything"
      priority = 1
      destination {
        bucket        = estate_bucket.archive.arn
        storage_class = "COLD"
      }
    }
    rules {
      id     = "nothing"
      status = "Disabled"
      destination {
        bucket = estate_bucket.logs.arn
      }
    }
  }
  tags = { "cost-center" = "0042" }
}

resource "estate_bucket" "archive" {
  name   = "shop-archive"
  region = "eu-south-2"
  logging {
    target_bucket = estate_bucket.logs.id
  }
}

resource "estate_bucket_object" "robots" {
  bucket  = estate_bucket.media.id
  key     = "robots.txt"
  content = "User-agent: *\nDisallow: /\n"
}

resource "estate_bucket_object" "index" {
  bucket       = estate_bucket.media.id
  key          = "de/index.html"
  content      = "<p class=\"x\">Grüße, 世界</p>"
  content_type = "text/html"
}

# Machines

resource "estate_instance" "web_1" {
  name               = "web-1"
  image              = "debian-13"
  size               = "large"
  subnet_id          = estate_subnet.prod_front.id
  security_group_ids = [estate_security_group.front.id, estate_security_group.monitoring.id]
  role_arn           = estate_role.shop.arn
  private_ip         = "10.10.1.10"
  api_token          = var.shop_api_token
  monitoring         = true
  cpu_ratio          = 1.5
  disks = {
    root = { size_gb = 20 }
    data = { size_gb = 500, type = "hdd", encrypted = false }
  }
  boot_order = ["disk", "network"]
  metadata   = { rack = 7, labels = ["blue", "größer"], spare = false }
  user_data  = <<-EOT
    #!/bin/bash
    set -euo pipefail
    echo "home is $${HOME}, %%{if} is text, \"quotes\" stay" | tee /etc/motd
  EOT
  mounts {
    bucket    = estate_bucket.media.name
    path      = "/srv/media"
    read_only = true
  }
  mounts {
    bucket = estate_bucket.logs.name
    path   = "/srv/logs"
  }
  tags = { Name = "web 1" }
}

resource "estate_instance" "web_2" {
  name               = "web-2"
  snapshot_id        = "snap-00a1b2"
  size               = "small"
  subnet_id          = estate_subnet.prod_front.id
  security_group_ids = [estate_security_group.front.id]
  role_arn           = estate_role.shop.arn
  private_ip         = "10.10.1.11"
  disks              = { root = { size_gb = 20 } }
}

resource "estate_instance" "db" {
  name               = "db"
  image              = "debian-13"
  size               = "huge"
  subnet_id          = estate_subnet.prod_back.id
  security_group_ids = [estate_security_group.back.id]
  private_ip         = "10.10.2.20"
  user_data_base64   = "IyEvYmluL3NoCg=="
  disks              = { root = { size_gb = 40 }, wal = { size_gb = 80 } }
}

resource "estate_instance" "staging" {
  name       = "staging"
  image      = "debian-13"
  subnet_id  = estate_subnet.staging.id
  private_ip = "10.20.1.50"
}

# Names

resource "estate_dns_record" "www" {
  zone   = "shop.test"
  name   = "www"
  type   = "A"
  values = [estate_instance.web_1.private_ip, estate_instance.web_2.private_ip]
}

resource "estate_dns_record" "db" {
  zone    = "shop.test"
  name    = "db"
  type    = "ALIAS"
  ttl     = 60
  alias   = { target_id = estate_instance.db.id, evaluate_health = false }
  comment = "moves with the machine"
}

resource "estate_dns_record" "spf" {
  zone   = "shop.test"
  name   = "@"
  type   = "TXT"
  values = ["v=spf1 include:\"mail.shop.test\" ~all"]
}

# Database users

resource "estate_db_user" "admin" {
  name      = "admin"
  password  = var.db_admin_password
  server_id = estate_instance.db.id
  superuser = true
}

resource "estate_db_user" "shop" {
  name             = "shop"
  password         = var.db_shop_password
  server_id        = estate_instance.db.id
  connection_limit = 20
  member_of        = [estate_db_user.readers.name]
  grants = [
    { database = "shop", privileges = ["CONNECT", "CREATE"], with_grant = true },
    { database = "shared", privileges = ["CONNECT"] },
  ]
  settings = { search_path = "\"$user\", public", statement_timeout = "30s" }
}

resource "estate_db_user" "readers" {
  name        = "readers"
  password    = var.db_shop_password
  server_id   = estate_instance.db.id
  login       = false
  valid_until = "2030-01-01T00:00:00Z"
}

resource "estate_db_user" "reporting" {
  name                = "reporting"
  password_wo         = var.db_shop_password
  password_wo_version = 1
  server_id           = estate_instance.db.id
  member_of           = [estate_db_user.readers.name]
}
