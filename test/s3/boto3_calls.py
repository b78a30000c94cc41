# Calls of boto3 that the tests make; prints ok if all answers are right.
import io
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import boto3
from boto3.s3.transfer import TransferConfig

bucket = sys.argv[1]
s3 = boto3.client("s3")

for algorithm in ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"]:
    key = "sums/" + algorithm
    put = s3.put_object(Bucket=bucket, Key=key, Body=b"123456789", ChecksumAlgorithm=algorithm)
    got = s3.get_object(Bucket=bucket, Key=key, ChecksumMode="ENABLED")
    assert got["Checksum" + algorithm] == put["Checksum" + algorithm], algorithm
    assert got["Body"].read() == b"123456789"

data = os.urandom(12_000_000)
parts = TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20)
s3.upload_fileobj(io.BytesIO(data), bucket, "big", Config=parts)
assert s3.head_object(Bucket=bucket, Key="big")["ETag"].endswith('-3"')
copy = io.BytesIO()
s3.download_fileobj(bucket, "big", copy, Config=parts)
assert copy.getvalue() == data

names = [f"many/{n:03d} é+&" for n in range(250)]
with ThreadPoolExecutor(8) as pool:
    list(pool.map(lambda key: s3.put_object(Bucket=bucket, Key=key, Body=b""), names))
pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix="many/", PaginationConfig={"PageSize": 100})
assert [item["Key"] for page in pages for item in page["Contents"]] == names
deleted = s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": key} for key in names]})
assert len(deleted["Deleted"]) == 250, deleted
assert s3.list_objects_v2(Bucket=bucket, Prefix="many/")["KeyCount"] == 0

try:
    s3.create_bucket(Bucket=bucket)
    raise AssertionError("the bucket was created")
except s3.exceptions.BucketAlreadyOwnedByYou:
    print("ok")
