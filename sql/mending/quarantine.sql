-- Findings that are in the archive but not in the intact files of their source.
select rebuilt.*
from rebuilt
anti join held using (quarantine_id)
