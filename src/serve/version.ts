// The version this library tells servers and puts into error reports; a test holds it to package.json.

export const version = "0.1.0";
