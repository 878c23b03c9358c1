"""Reads recent-updates pages as Python would: json, then pydantic models of the fields that Packbench reads."""

import json
import resource
import sys
import time
from datetime import datetime
from decimal import Decimal
from typing import Optional

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Record(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, coerce_numbers_to_str=True)


class Named(Record):
    id: int
    name: str = ""
    abbreviation: str = ""
    display_name: str = ""


class Location(Record):
    id: Optional[int] = None
    suburb: str = ""
    postcode: str = ""
    state: str = ""
    time_zone: str = ""
    country: str = ""


class Status(Record):
    id: int
    name: str = ""
    description: str = ""


class StatusChange(Record):
    consignment_tracking_status: Optional[Status] = None
    consignment_id: Optional[int] = None
    created_by_name: str = ""
    created_by_user_id: Optional[int] = None
    status_is_partial: bool = False
    status_date_local: Optional[datetime] = None
    status_date_utc: Optional[datetime] = None
    carrier_status: Optional[str] = None
    carrier_status_description: Optional[str] = None
    status_information: Optional[str] = None


class Total(Record):
    sell_prices_cleared: bool = False
    total_sell_price: Optional[Decimal] = None
    total_cost_price: Optional[Decimal] = None
    total_base_sell_price: Optional[Decimal] = None
    total_base_cost_price: Optional[Decimal] = None
    total_tax_sell_price: Optional[Decimal] = None
    total_tax_cost_price: Optional[Decimal] = None
    sell_fuel_levy_price: Optional[Decimal] = None
    consignment_route_sell_price: Optional[Decimal] = None
    total_sell_before_tax: Optional[Decimal] = None


class Item(Record):
    item_type: str = ""
    name: str = ""
    sku: Optional[str] = None
    quantity: Optional[int] = None
    weight: Optional[Decimal] = None
    length: Optional[Decimal] = None
    width: Optional[Decimal] = None
    height: Optional[Decimal] = None
    references: list[str] = []


class Consignment(Record):
    id: int
    consignment_number: str = ""
    carrier_consignment_id: Optional[str] = None
    company_id: Optional[int] = None
    status: Optional[Status] = None
    consignment_tracking_status: Optional[Status] = None
    status_history: list[StatusChange] = []
    consignment_tracking_histories: list[StatusChange] = []
    tracking_page_access_token: Optional[str] = None
    consignment_total: Optional[Total] = None
    items: list[Item] = []
    consignment_items: list[Item] = []
    despatch_date_local: Optional[datetime] = None
    despatch_date_utc: Optional[datetime] = None
    eta_local: Optional[datetime] = None
    eta_utc: Optional[datetime] = None
    carrier: Optional[Named] = None
    carrier_service: Optional[Named] = None
    carrier_name: Optional[str] = None
    is_test: bool = False
    manifest_id: Optional[int] = None
    booked_date: Optional[datetime] = None
    completed_date: Optional[datetime] = None
    completed_date_utc: Optional[datetime] = None
    attachment_count: Optional[int] = None
    important: bool = False
    customer_reference: Optional[str] = None
    customer_reference2: Optional[str] = None
    from_name: Optional[str] = None
    from_location: Optional[Location] = None
    from_contact: Optional[str] = None
    from_phone: Optional[str] = None
    from_email: Optional[str] = None
    from_address_line1: Optional[str] = None
    from_address_line2: Optional[str] = None
    from_country_code: Optional[str] = None
    to_name: Optional[str] = None
    to_location: Optional[Location] = None
    to_contact: Optional[str] = None
    to_phone: Optional[str] = None
    to_email: Optional[str] = None
    to_address_line1: Optional[str] = None
    to_address_line2: Optional[str] = None
    to_country_code: Optional[str] = None
    total_item_count: Optional[int] = None
    total_weight: Optional[Decimal] = None
    total_cubic: Optional[Decimal] = None
    total_volume: Optional[Decimal] = None
    heaviest_weight: Optional[Decimal] = None
    special_instructions: Optional[str] = None
    question_ids: list[str] = []
    is_international: bool = False
    dgs_declaration: Optional[bool] = None


class Page(Record):
    object: list[Consignment]
    total_items: Optional[int] = None


def main() -> None:
    path, wanted = sys.argv[1], int(sys.argv[2])
    started = time.perf_counter()
    rows = 0
    while rows < wanted:
        with open(path, "rb") as file:
            for line in file:
                # As exact as Packbench: a decimal stays one.
                page = Page.model_validate(json.loads(line, parse_float=Decimal))
                rows += len(page.object)
                if rows >= wanted:
                    break
    seconds = time.perf_counter() - started
    print(rows, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


main()
