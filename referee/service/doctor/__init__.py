"""Whether a club can do its work: a club comes in, findings go out, each with how to mend it. Nothing of the club is changed."""

from referee.service.doctor.dns import Lookup, dns_lookup
from referee.service.doctor.examination import examine, examine_post, settings_of
from referee.service.doctor.finding import Finding, Level

__all__ = ["Finding", "Level", "Lookup", "dns_lookup", "examine", "examine_post", "settings_of"]
