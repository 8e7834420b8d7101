"""The JSON of requests and responses, by noun. The OpenAPI description is generated from these classes."""
