// Names of countries in the editions of the World Economic Outlook, including former ones, by ISO 3166 alpha-3.

const NAMES = `
ABW Aruba
AFG Afghanistan
AFG Afghanistan, Rep. of.
AGO Angola
ALB Albania
AND Andorra
ARE United Arab Emirates
ARG Argentina
ARM Armenia
ATG Antigua and Barbuda
AUS Australia
AUT Austria
AZE Azerbaijan
BDI Burundi
BEL Belgium
BEN Benin
BFA Burkina Faso
BGD Bangladesh
BGR Bulgaria
BHR Bahrain
BHS Bahamas, The
BHS The Bahamas
BIH Bosnia and Herzegovina
BLR Belarus
BLZ Belize
BOL Bolivia
BRA Brazil
BRB Barbados
BRN Brunei Darussalam
BTN Bhutan
BWA Botswana
CAF Central African Republic
CAN Canada
CHE Switzerland
CHL Chile
CHN China
CMR Cameroon
COD Congo, Democratic Republic of
COD Democratic Republic of the Congo
COG Congo, Republic of
COG Republic of Congo
COL Colombia
COM Comoros
CPV Cabo Verde
CPV Cape Verde
CRI Costa Rica
CYP Cyprus
CZE Czech Republic
CZE Czechia
DEU Germany
DJI Djibouti
DMA Dominica
DNK Denmark
DOM Dominican Republic
DZA Algeria
ECU Ecuador
EGY Egypt
ERI Eritrea
ESP Spain
EST Estonia
ETH Ethiopia
FIN Finland
FJI Fiji
FRA France
FSM Micronesia
GAB Gabon
GBR United Kingdom
GEO Georgia
GHA Ghana
GIN Guinea
GMB Gambia, The
GMB The Gambia
GNB Guinea-Bissau
GNQ Equatorial Guinea
GRC Greece
GRD Grenada
GTM Guatemala
GUY Guyana
HKG Hong Kong SAR
HND Honduras
HRV Croatia
HTI Haiti
HUN Hungary
IDN Indonesia
IND India
IRL Ireland
IRN Iran, Islamic Republic of
IRN Islamic Republic of Iran
IRQ Iraq
ISL Iceland
ISR Israel
ITA Italy
JAM Jamaica
JOR Jordan
JPN Japan
KAZ Kazakhstan
KEN Kenya
KGZ Kyrgyz Republic
KHM Cambodia
KIR Kiribati
KNA St. Kitts and Nevis
KOR Korea
KWT Kuwait
LAO Lao P.D.R.
LAO Lao People's Democratic Republic
LBN Lebanon
LBR Liberia
LBY Libya
LCA St. Lucia
LKA Sri Lanka
LSO Lesotho
LTU Lithuania
LUX Luxembourg
LVA Latvia
MAC Macao SAR
MAR Morocco
MDA Moldova
MDG Madagascar
MDV Maldives
MEX Mexico
MHL Marshall Islands
MKD FYR Macedonia
MKD Macedonia, Former Yugoslav Republic of
MKD North Macedonia
MLI Mali
MLT Malta
MMR Myanmar
MNE Montenegro
MNG Mongolia
MOZ Mozambique
MRT Mauritania
MUS Mauritius
MWI Malawi
MYS Malaysia
NAM Namibia
NER Niger
NGA Nigeria
NIC Nicaragua
NLD Netherlands
NOR Norway
NPL Nepal
NRU Nauru
NZL New Zealand
OMN Oman
PAK Pakistan
PAN Panama
PER Peru
PHL Philippines
PLW Palau
PNG Papua New Guinea
POL Poland
PRI Puerto Rico
PRT Portugal
PRY Paraguay
PSE West Bank and Gaza
QAT Qatar
ROU Romania
RUS Russia
RWA Rwanda
SAU Saudi Arabia
SDN Sudan
SEN Senegal
SGP Singapore
SLB Solomon Islands
SLE Sierra Leone
SLV El Salvador
SMR San Marino
SOM Somalia
SRB Serbia
SSD South Sudan
SUR Suriname
SVK Slovak Republic
SVK Slovakia
SVN Slovenia
SWE Sweden
SWZ Eswatini
SWZ Swaziland
SYC Seychelles
SYR Syria
SYR Syrian Arab Republic
TCD Chad
TGO Togo
THA Thailand
TJK Tajikistan
TKM Turkmenistan
TLS Timor-Leste
TLS Timor-Leste, Dem. Rep. of
TON Tonga
TTO Trinidad and Tobago
TUN Tunisia
TUR Turkey
TUV Tuvalu
TWN Taiwan Province of China
TZA Tanzania
UGA Uganda
UKR Ukraine
URY Uruguay
USA United States
UZB Uzbekistan
VCT St. Vincent and the Grenadines
VEN Venezuela
VNM Vietnam
VUT Vanuatu
WSM Samoa
XKX Kosovo
YEM Yemen
YEM Yemen, Republic of
ZAF South Africa
ZMB Zambia
ZWE Zimbabwe
`;

const BY_NAME: ReadonlyMap<string, string> = new Map(
  NAMES.trim()
    .split('\n')
    .map((line) => [line.slice(4), line.slice(0, 3)]),
);
/** Letters with accents come in any encoding, even a wrong one. */
const ACCENTED: readonly (readonly [RegExp, string])[] = [
  [/^C.{1,4}e d'Ivoire$/u, 'CIV'],
  [/^S.{1,6}Tom.* Pr.*cipe$/u, 'STP'],
  [/^T.{1,2}rkiye$/u, 'TUR'],
];
const OWN_CODES: Readonly<Record<string, string>> = { UVK: 'XKX', KOS: 'XKX', WBG: 'PSE' };
const GROUPS: Readonly<Record<string, string>> = { World: 'region_wld', 'Euro area': 'ea', 'European Union': 'eu' };

/** An entity of the reference data, or `iso3:deu`; null for a group without one. */
export function outlookEntity(name: string, code: string): string | null {
  const group = GROUPS[name];
  if (group !== undefined) return group;
  const iso3 = BY_NAME.get(name) ?? ACCENTED.find(([pattern]) => pattern.test(name))?.[1] ?? (/^[A-Z]{3}$/.test(code) ? code : null);
  return iso3 === null ? null : `iso3:${(OWN_CODES[iso3] ?? iso3).toLowerCase()}`;
}
