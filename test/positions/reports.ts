/** The report on financial futures with the columns that are read; all positions but those of two classes are nought. */
export function financialFutures(
  name: string,
  reports: readonly { readonly day: string; readonly openInterest: number; readonly short: number }[],
): string {
  const classes = ['Dealer', 'Asset_Mgr', 'Lev_Money', 'Other_Rept'];
  const sides = ['Long', 'Short', 'Spread'];
  const columns = [
    'Market_and_Exchange_Names,As_of_Date_In_Form_YYMMDD,Report_Date_as_YYYY-MM-DD,CFTC_Contract_Market_Code,FutOnly_or_Combined,Open_Interest_All',
    ...classes.flatMap((own) => sides.map((side) => `${own}_Positions_${side}_All`)),
    'NonRept_Positions_Long_All,NonRept_Positions_Short_All',
  ];
  const rows = reports.map(
    ({ day, openInterest, short }) =>
      `${name},${day.slice(2).replaceAll('-', '')},${day},13874X,FutOnly,${openInterest},` +
      `0,${openInterest - short},0,0,0,0,${openInterest},${short},0,0,0,0,0,0`,
  );
  return `${columns.join(',')}\n${rows.join('\n')}\n`;
}
