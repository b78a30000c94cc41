# Calls of s3fs that the tests make; prints ok if all answers are right.
import os
import sys
import tempfile

import s3fs

bucket = sys.argv[1]
fs = s3fs.S3FileSystem(
    endpoint_url=os.environ["AWS_ENDPOINT_URL"],
    use_listings_cache=False,
    config_kwargs={"signature_version": "s3v4"},
)
root = f"{bucket}/data"

names = [f"{root}/a/{n} é #%2F+" for n in range(3)]
for name in names:
    fs.pipe_file(name, name.encode())
assert fs.find(root) == names
assert fs.ls(root, detail=False) == [f"{root}/a"]
assert fs.isdir(f"{root}/a") and fs.isfile(names[0]) and not fs.exists(f"{root}/none")
assert fs.cat_file(names[1], start=2, end=6) == names[1].encode()[2:6]
assert fs.info(names[2])["size"] == len(names[2].encode())

# A file object sends parts as it is written, and reads ranges.
data = os.urandom(11 << 20)
with fs.open(f"{root}/big", "wb", block_size=5 << 20) as out:
    for at in range(0, len(data), 1 << 20):
        out.write(data[at : at + (1 << 20)])
with fs.open(f"{root}/big", "rb", block_size=1 << 20) as file:
    file.seek(9 << 20)
    assert file.read(1000) == data[9 << 20 : (9 << 20) + 1000]
fs.copy(f"{root}/big", f"{root}/copy")
assert fs.cat_file(f"{root}/copy") == data
fs.mv(f"{root}/copy", f"{root}/a/moved")
assert not fs.exists(f"{root}/copy") and fs.size(f"{root}/a/moved") == len(data)

with tempfile.TemporaryDirectory() as folder:
    fs.get(f"{root}/a", folder + "/down", recursive=True)
    assert len(os.listdir(folder + "/down")) == 4
    fs.put(folder + "/down", f"{root}/up", recursive=True)
assert len(fs.find(f"{root}/up")) == 4

url = fs.url(names[0])
assert "X-Amz-Signature" in url
fs.rm(root, recursive=True)
assert not fs.exists(root)
print("ok")
