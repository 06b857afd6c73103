-- Findings that the archive gives and the whole files of their source do not hold.
select rebuilt.*
from rebuilt
anti join held using (quarantine_id)
