// The two invented companies. Their numbers lie outside those that EDGAR has given out, their tickers are nobody's.
export interface Company {
  readonly cik: string;
  readonly name: string;
  readonly ticker: string;
  readonly exchange: string;
  readonly sic: string;
  readonly sicDescription: string;
  /** Dollars, around which the price moves. */
  readonly price: number;
  readonly shares: number;
  /** Dollars of revenue a year in 2020. */
  readonly revenue: number;
  readonly growth: number;
  /** Parts of revenue. */
  readonly grossMargin: number;
  readonly operatingMargin: number;
}

export const COMPANIES: readonly Company[] = [
  {
    cik: '9999999001',
    name: 'Sample Manufacturing Co',
    ticker: 'ZZSMA',
    exchange: 'NYSE',
    sic: '3560',
    sicDescription: 'General Industrial Machinery & Equipment',
    price: 62,
    shares: 410_000_000,
    revenue: 12_000_000_000,
    growth: 0.04,
    grossMargin: 0.36,
    operatingMargin: 0.15,
  },
  {
    cik: '9999999002',
    name: 'Sample Software Inc',
    ticker: 'ZZSMB',
    exchange: 'Nasdaq',
    sic: '7372',
    sicDescription: 'Services-Prepackaged Software',
    price: 118,
    shares: 155_000_000,
    revenue: 2_400_000_000,
    growth: 0.11,
    grossMargin: 0.71,
    operatingMargin: 0.22,
  },
];
