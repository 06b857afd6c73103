"""Days on which US federal offices were closed by law, by pandas: writes test/fixtures/readers/federal_holidays.json."""
import json
import pathlib

from pandas.tseries.holiday import USFederalHolidayCalendar

FIRST, LAST = '1992-01-01', '2030-12-31'

days = [f'{day:%Y-%m-%d}' for day in USFederalHolidayCalendar().holidays(FIRST, LAST)]
target = pathlib.Path(__file__).parent / '../fixtures/readers/federal_holidays.json'
target.write_text(json.dumps({'from': FIRST, 'to': LAST, 'days': days}, indent=1) + '\n')
