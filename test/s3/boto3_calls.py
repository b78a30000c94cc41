# Calls of boto3 that the tests make; prints ok if all answers are right.
import io
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config

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

# Without a region of its own, boto3 presigns with Signature Version 2.
old = boto3.client("s3", region_name="us-east-1")
name = "p/é +&%2F'"
put = old.generate_presigned_url("put_object", {"Bucket": bucket, "Key": name, "ContentType": "text/x"})
assert "AWSAccessKeyId=" in put and "X-Amz" not in put, put
urlopen(Request(put, b"v2", {"Content-Type": "text/x"}, method="PUT")).close()
get = old.generate_presigned_url(
    "get_object", {"Bucket": bucket, "Key": name, "ResponseContentDisposition": "attachment; filename=a b"}
)
with urlopen(get) as got:
    assert got.read() == b"v2" and got.headers["Content-Type"] == "text/x"
    assert got.headers["Content-Disposition"] == "attachment; filename=a b"


def refusal(url, **options):
    try:
        urlopen(Request(url, **options))
    except HTTPError as error:
        return error.code, error.read().decode()


for changed in [
    get.replace("p/", "q/"),
    get.replace("attachment", "inline"),
    get.replace("Expires=", "Expires=9"),
    get + "&acl",
]:
    assert "SignatureDoesNotMatch" in refusal(changed)[1], changed
assert "SignatureDoesNotMatch" in refusal(get, method="PUT", data=b"")[1]
assert "SignatureDoesNotMatch" in refusal(get, headers={"x-amz-meta-a": "b"})[1]
expired = old.generate_presigned_url("get_object", {"Bucket": bucket, "Key": name}, ExpiresIn=-60)
assert "Request has expired" in refusal(expired)[1]
assert "Expires must be" in refusal(get.replace("Expires=", "Expires=x"))[1]

form = old.generate_presigned_post(bucket, "form")
fields = {**form["fields"], "file": "x"}
part = "".join(f'--b\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items())
headers = {"Content-Type": "multipart/form-data; boundary=b"}
status, text = refusal(form["url"], data=(part + "--b--\r\n").encode(), headers=headers)
assert status == 501 and "generate_presigned_url" in text, text

signed = boto3.client("s3", config=Config(signature_version="s3"))
try:
    signed.list_objects_v2(Bucket=bucket)
    raise AssertionError("Signature Version 2 in a header was taken")
except signed.exceptions.ClientError as error:
    assert "s3v4" in error.response["Error"]["Message"], error

try:
    s3.create_bucket(Bucket=bucket)
    raise AssertionError("the bucket was created")
except s3.exceptions.BucketAlreadyOwnedByYou:
    print("ok")
