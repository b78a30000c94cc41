# Calls of minio-py that the tests make, without a region; prints ok if all answers are right.
import io
import os
import sys
from datetime import timedelta
from urllib.request import Request, urlopen

from minio import Minio
from minio.commonconfig import ComposeSource, CopySource
from minio.deleteobjects import DeleteObject

address, access_key, secret_key, bucket = sys.argv[1:]
s3 = Minio(address, access_key, secret_key, secure=False)

assert s3.bucket_exists(bucket)
assert [each.name for each in s3.list_buckets()] == [bucket]
assert s3.get_bucket_versioning(bucket).status in (None, "Off")

data = os.urandom(11 << 20)
s3.put_object(bucket, "a/big é+&", io.BytesIO(data), -1, part_size=5 << 20, metadata={"made": "here"})
assert s3.get_object(bucket, "a/big é+&").read() == data
assert s3.get_object(bucket, "a/big é+&", offset=7, length=9).read() == data[7:16]
stat = s3.stat_object(bucket, "a/big é+&")
assert stat.size == len(data) and stat.metadata["x-amz-meta-made"] == "here"
s3.put_object(bucket, "a/small", io.BytesIO(b"small"), 5)
s3.copy_object(bucket, "b/copy", CopySource(bucket, "a/small"))
s3.compose_object(bucket, "b/both", [ComposeSource(bucket, "a/big é+&"), ComposeSource(bucket, "a/small")])
assert s3.stat_object(bucket, "b/both").size == len(data) + 5
names = ["a/big é+&", "a/small", "b/both", "b/copy"]
assert [each.object_name for each in s3.list_objects(bucket, recursive=True)] == names
assert [each.object_name for each in s3.list_objects(bucket)] == ["a/", "b/"]
assert [each.object_name for each in s3.list_objects(bucket, recursive=True, use_api_v1=True)] == names
assert not s3.get_object_tags(bucket, "a/small")

url = s3.presigned_put_object(bucket, "p", expires=timedelta(minutes=1))
urlopen(Request(url, b"presigned", method="PUT")).close()
assert urlopen(s3.presigned_get_object(bucket, "p")).read() == b"presigned"

errors = s3.remove_objects(bucket, [DeleteObject(each) for each in [*names, "p"]])
assert list(errors) == []
assert list(s3.list_objects(bucket, recursive=True)) == []
print("ok")
