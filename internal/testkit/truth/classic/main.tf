# A small company's estate: two stages of a shop, written by hand.

terraform {
  required_providers {
    classic = { source = "registry.opentofu.org/formation-iac/classic" }
  }
}

provider "classic" {}

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

resource "classic_network" "prod" {
  name        = "prod"
  cidr        = "10.10.0.0/16"
  description = "Everything that customers see"
  mtu         = 9000
  dns {
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

resource "classic_network" "staging" {
  name       = "staging"
  cidr       = "10.20.0.0/16"
  enable_dns = false
}

resource "classic_subnet" "prod_front" {
  name       = "prod-front"
  network_id = classic_network.prod.id
  cidr       = "10.10.1.0/24"
  zone       = "eu-north-1a"
  public     = true
  tags       = { tier = "front" }
}

resource "classic_subnet" "prod_back" {
  name       = "prod-back"
  network_id = classic_network.prod.id
  cidr       = "10.10.2.0/24"
  zone       = "eu-north-1b"
  gateway_ip = "10.10.2.254"
  route {
    destination = "0.0.0.0/0"
    next_hop    = "10.10.2.254"
  }
  route {
    destination = "192.168.0.0/16"
    next_hop    = "10.10.2.253"
    metric      = 50
  }
}

resource "classic_subnet" "staging" {
  name       = "staging"
  network_id = classic_network.staging.id
  cidr       = "10.20.1.0/24"
  zone       = "eu-north-1a"
  public     = false
}

# Who may talk to whom

resource "classic_security_group" "front" {
  name        = "front"
  network_id  = classic_network.prod.id
  description = "Web servers"
  ingress {
    protocol    = "tcp"
    from_port   = 443
    to_port     = 443
    cidrs       = ["0.0.0.0/0", "::/0"]
    description = "The \"public\" door"
  }
  egress = [{
    protocol        = "any"
    from_port       = 0
    to_port         = 0
    cidrs           = ["0.0.0.0/0"]
    source_group_id = null
    description     = null
  }]
  tags = { note = "keep $${this} and %%{that}" }
}

resource "classic_security_group" "back" {
  name       = "back"
  network_id = classic_network.prod.id
  ingress {
    protocol        = "tcp"
    from_port       = 5432
    to_port         = 5432
    source_group_id = classic_security_group.front.id
    description     = "database"
  }
  ingress {
    protocol        = "tcp"
    from_port       = 9100
    to_port         = 9100
    source_group_id = classic_security_group.monitoring.id
  }
}

resource "classic_security_group" "monitoring" {
  name       = "monitoring"
  network_id = classic_network.prod.id
  egress = [{
    protocol        = "tcp"
    from_port       = 9090
    to_port         = 9090
    cidrs           = null
    source_group_id = classic_security_group.front.id
    description     = null
  }]
}

resource "classic_security_group" "staging" {
  name       = "staging-all"
  network_id = classic_network.staging.id
}

# Roles

resource "classic_role" "shop" {
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
  inline_policy {
    name = "read-media"
    document = jsonencode({
      Version   = "2024-01-01"
      Statement = [{ Effect = "Allow", Action = ["bucket:Get*"], Resource = ["arn:estate:bucket:::shop-media/*"] }]
    })
    description = "Pictures and films"
  }
  inline_policy {
    name     = "write-logs"
    document = jsonencode({ Version = "2024-01-01", Statement = [{ Effect = "Allow", Action = "bucket:Put*" }] })
  }
  max_session = 7200
  tags        = { team = "shop" }
}

resource "classic_role" "replicator" {
  name              = "replicator"
  path              = "/service/"
  assume_policy     = jsonencode({ Version = "2024-01-01", Statement = [] })
  trusted_role_arns = [classic_role.shop.arn]
}

resource "classic_role" "operator" {
  name              = "operator"
  assume_policy     = jsonencode({ Version = "2024-01-01", Statement = [] })
  trusted_role_arns = [classic_role.shop.arn, classic_role.replicator.arn]
}

# Buckets

resource "classic_bucket" "logs" {
  name          = "shop-logs"
  force_destroy = true
  lifecycle_rule {
    id          = "expire"
    prefix      = "tmp/"
    expire_days = 30
  }
  lifecycle_rule {
    id      = "keep-audit"
    enabled = false
    prefix  = "audit/"
    tags    = { keep = "yes" }
  }
}

resource "classic_bucket" "media" {
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
  versioning {
    enabled = true
  }
  logging {
    target_bucket = classic_bucket.logs.id
    prefix        = "media/"
  }
  replication {
    role = classic_role.replicator.arn
    rules {
      id       = "everything"
      priority = 1
      destination {
        bucket        = classic_bucket.archive.arn
        storage_class = "COLD"
      }
    }
    rules {
      id     = "nothing"
      status = "Disabled"
      destination {
        bucket = classic_bucket.logs.arn
      }
    }
  }
  tags = { "cost-center" = "0042" }
}

resource "classic_bucket" "archive" {
  name   = "shop-archive"
  region = "eu-south-2"
  logging {
    target_bucket = classic_bucket.logs.id
  }
}

resource "classic_bucket_object" "robots" {
  bucket  = classic_bucket.media.id
  key     = "robots.txt"
  content = "User-agent: *\nDisallow: /\n"
}

resource "classic_bucket_object" "index" {
  bucket       = classic_bucket.media.id
  key          = "de/index.html"
  content      = "<p class=\"x\">Grüße, 世界</p>"
  content_type = "text/html"
}

# Machines

resource "classic_instance" "web_1" {
  name               = "web-1"
  image              = "debian-13"
  size               = "large"
  subnet_id          = classic_subnet.prod_front.id
  security_group_ids = [classic_security_group.front.id, classic_security_group.monitoring.id]
  role_arn           = classic_role.shop.arn
  private_ip         = "10.10.1.10"
  api_token          = var.shop_api_token
  monitoring         = true
  cpu_ratio          = 1.5
  disk {
    name    = "root"
    size_gb = 20
  }
  disk {
    name      = "data"
    size_gb   = 500
    type      = "hdd"
    encrypted = false
  }
  boot_order    = ["disk", "network"]
  metadata_json = jsonencode({ rack = 7, labels = ["blue", "größer"], spare = false })
  user_data     = <<-EOT
    #!/bin/bash
    set -euo pipefail
    echo "home is $${HOME}, %%{if} is text, \"quotes\" stay" | tee /etc/motd
  EOT
  mount {
    bucket    = classic_bucket.media.name
    path      = "/srv/media"
    read_only = true
  }
  mount {
    bucket = classic_bucket.logs.name
    path   = "/srv/logs"
  }
  tags = { Name = "web 1" }
}

resource "classic_instance" "web_2" {
  name               = "web-2"
  snapshot_id        = "snap-00a1b2"
  size               = "small"
  subnet_id          = classic_subnet.prod_front.id
  security_group_ids = [classic_security_group.front.id]
  role_arn           = classic_role.shop.arn
  private_ip         = "10.10.1.11"
  disk {
    name    = "root"
    size_gb = 20
  }
}

resource "classic_instance" "db" {
  name               = "db"
  image              = "debian-13"
  size               = "huge"
  subnet_id          = classic_subnet.prod_back.id
  security_group_ids = [classic_security_group.back.id]
  private_ip         = "10.10.2.20"
  user_data_base64   = "IyEvYmluL3NoCg=="
  disk {
    name    = "root"
    size_gb = 40
  }
  disk {
    name    = "wal"
    size_gb = 80
  }
  timeouts {
    create = "3m"
  }
}

resource "classic_instance" "staging" {
  name       = "staging"
  image      = "debian-13"
  subnet_id  = classic_subnet.staging.id
  private_ip = "10.20.1.50"
}

# Names

resource "classic_dns_record" "www" {
  zone   = "shop.test"
  name   = "www"
  type   = "A"
  values = [classic_instance.web_1.private_ip, classic_instance.web_2.private_ip]
}

resource "classic_dns_record" "db" {
  zone = "shop.test"
  name = "db"
  type = "ALIAS"
  ttl  = 60
  alias {
    target_id       = classic_instance.db.id
    evaluate_health = false
  }
  comment = "moves with the machine"
}

resource "classic_dns_record" "spf" {
  zone   = "shop.test"
  name   = "@"
  type   = "TXT"
  values = ["v=spf1 include:\"mail.shop.test\" ~all"]
}

# Database users

resource "classic_db_user" "admin" {
  name      = "admin"
  password  = var.db_admin_password
  server_id = classic_instance.db.id
  superuser = true
}

resource "classic_db_user" "shop" {
  name             = "shop"
  password         = var.db_shop_password
  server_id        = classic_instance.db.id
  connection_limit = 20
  member_of        = [classic_db_user.readers.name]
  grant {
    database   = "shop"
    privileges = ["CONNECT", "CREATE"]
    with_grant = true
  }
  grant {
    database   = "shared"
    privileges = ["CONNECT"]
  }
  settings = { search_path = "\"$user\", public", statement_timeout = "30s" }
}

resource "classic_db_user" "readers" {
  name        = "readers"
  password    = var.db_shop_password
  server_id   = classic_instance.db.id
  login       = false
  valid_until = "2030-01-01T00:00:00Z"
}

resource "classic_db_user" "reporting" {
  name      = "reporting"
  password  = var.db_shop_password
  server_id = classic_instance.db.id
  member_of = [classic_db_user.readers.name]
}
