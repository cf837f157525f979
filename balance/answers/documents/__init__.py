"""The forms of answers for programs: the JSON Schema of each verb, made from its records, and the short form."""
